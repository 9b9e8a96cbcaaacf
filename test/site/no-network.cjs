// Loaded into every Node process of a build: a connection or a lookup ends it.
const net = require("node:net");
const dns = require("node:dns");

const refuse = (what) => {
  console.error(`network: ${what}`);
  process.exit(97);
};
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...words) {
  const [options] = Array.isArray(words[0]) ? words[0] : words;
  return options?.path ? connect.apply(this, words) : refuse(JSON.stringify(options));
};
dns.lookup = (name) => refuse(name);
