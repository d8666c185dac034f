// Runs a program whose output is of interest only if it fails, and shows from the first second that it works.
import { spawn } from "node:child_process";

/** On a terminal a clock moves; elsewhere there is a line at the start. Exits with the output if the program fails. */
export async function runQuietly(what, [program, ...args], options = {}) {
  const begun = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const say = (text) => process.stderr.write(isTerminal ? `\r\u001b[2K${text}` : `${text}\n`);
  say(`tazuna: ${what} …`);
  const clock = isTerminal ? setInterval(() => say(`tazuna: ${what} … ${seconds()}`), 1000) : undefined;
  const { code, output } = await outputOf(program, args, options);
  clearInterval(clock);
  if (isTerminal) say(code === 0 ? `tazuna: ${what}: ${seconds()}\n` : "");
  if (code === 0) return;
  process.stderr.write(output);
  console.error(`tazuna: ${what} failed (${[program, args[0]].join(" ")}, see above).`);
  process.exit(code);
}

function outputOf(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    const take = (chunk) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", (error) => resolve({ code: 1, output: `${error.message}\n` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
