/** Is an MCP client with a clock: calls tools and starts the raw processes that they stand for, in turn; prints the times as JSON. */
import { spawn } from "node:child_process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** `{ command, cwd, env, rounds, starts, pairs: [{ name, raw: [argv], tool, args }] }` */
const { command, cwd, env, rounds, starts, pairs } = JSON.parse(process.argv[2] ?? "{}");

const started = [];
for (let start = 0; start < starts; start++) {
  const began = performance.now();
  const client = await connect();
  started.push(performance.now() - began);
  await client.close();
}
const client = await connect();
await client.listTools();
const measured = [];
for (const pair of pairs) measured.push({ name: pair.name, ...(await compare(pair)) });
await client.close();
console.log(JSON.stringify({ started, measured }));

/** Both in turn, each first as often as the other; the first rounds warm up and are thrown away. */
async function compare({ raw, tool, args }) {
  const times = { raw: [], tool: [] };
  const arms = {
    raw: async () => {
      for (const argv of raw) await run(argv);
    },
    tool: async () => {
      const result = await client.callTool({ name: tool, arguments: args });
      if (result.isError) throw new Error(JSON.stringify(result.content));
    },
  };
  for (let round = -20; round < rounds; round++) {
    for (const arm of round % 2 === 0 ? ["raw", "tool"] : ["tool", "raw"]) {
      const began = performance.now();
      await arms[arm]();
      if (round >= 0) times[arm].push(performance.now() - began);
    }
  }
  return times;
}

/** One process to its end, its output read, as any program would. */
function run([program, ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}

async function connect() {
  const transport = new StdioClientTransport({ command, args: ["mcp"], cwd, env, stderr: "inherit" });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  return client;
}
