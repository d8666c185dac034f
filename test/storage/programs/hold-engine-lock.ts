/** Takes the engine lock of the data folder in its argument, prints the result, and stays until it is killed. */
import { takeEngineLock } from "../../../src/storage/engine-lock.ts";

const [dataFolder = ""] = process.argv.slice(2);

/** Leaves nothing that refers to the lock, as a careless caller would. */
function takeAndForget(): string {
  const taken = takeEngineLock(dataFolder);
  if (taken.isErr()) return taken.error.code;
  return taken.value === "held" ? "held" : "taken";
}

console.log(takeAndForget());
// The collector has every chance to close what has no reference.
setInterval(() => {
  Bun.gc(true);
  console.log("collected");
}, 20);
