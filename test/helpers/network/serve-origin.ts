/** A program: serves the bare repositories of a folder by https at an address of its machine, and prints where one is. */
import { readFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { createServer } from "node:tls";
import { gitHttpServer } from "../git-http-server.ts";

const [folder = "", name = "", address = "", cert = "", key = ""] = process.argv.slice(2);
const inside = new URL((await gitHttpServer(folder)).url(name));

const door = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (outside) => {
  const far = connect(Number(inside.port), inside.hostname);
  outside.on("error", () => far.destroy());
  far.on("error", () => outside.destroy());
  outside.pipe(far).pipe(outside);
});
door.on("tlsClientError", () => undefined);
door.listen(0, address, () =>
  console.log(`https://${address}:${(door.address() as AddressInfo).port}/${name}`),
);
