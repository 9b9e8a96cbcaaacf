import Libsql from "libsql";

/** Another process that takes the write lock of a SQLite database on `hold`, and lets go of it on `release`. */
const database = new Libsql(process.argv[2] ?? "", { timeout: 5000 });
process.on("message", (wanted) => {
  database.exec(wanted === "hold" ? "begin exclusive" : "rollback");
  process.send?.(wanted);
});
process.send?.("ready");
