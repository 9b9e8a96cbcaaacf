// Loaded before the program: ends it without a chance to clean up, right before the operation ZONEWRIGHT_DIES_AT of
// those that change the folder of zone files, the folder that is served, or the journal, or that start a program.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

let left = Number(process.env.ZONEWRIGHT_DIES_AT);

function count() {
  left--;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

for (const name of ["openSync", "writeFileSync", "renameSync", "rmSync"]) {
  const real = fs[name];
  fs[name] = (...words) => {
    if (/\/(?:srv|served)(?:\/|$)/.test(String(words[0]))) count();
    return real(...words);
  };
}

const sync = fs.fsyncSync;
fs.fsyncSync = (file) => {
  count();
  return sync(file);
};

const spawn = childProcess.spawn;
childProcess.spawn = (...words) => {
  count();
  return spawn(...words);
};

const open = fs.promises.open;
fs.promises.open = async (...words) => {
  const file = await open(...words);
  if (!/journal/.test(String(words[0]))) return file;
  for (const name of ["appendFile", "write"]) {
    const real = file[name].bind(file);
    file[name] = (...data) => {
      count();
      return real(...data);
    };
  }
  return file;
};

syncBuiltinESMExports();
