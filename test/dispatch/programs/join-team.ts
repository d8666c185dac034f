/** Joins a team as a worker of its own and prints what it is told, until it is killed or asked to end. */
import { writeSync } from "node:fs";
import { joinTeam } from "../../../src/dispatch/team.ts";
import { executeSql, schemaOf } from "../../../src/storage/postgres/execute-sql.ts";
import { openOn } from "../teams.ts";

const [url = "", schema = "", worker = "", how = ""] = process.argv.slice(2);
const say = (text: string) => writeSync(1, `${text}\n`);
const db = await openOn({ url, schema });
const team = await joinTeam({
  execute: executeSql(db.writes.aside),
  executeBeside: executeSql(db.reader),
  schema: await schemaOf(db.reader),
  worker,
  onLook: async ({ run, attempt }) => {
    say(`look ${run}/${attempt}`);
    if (how === "stuck") await new Promise(() => undefined);
  },
  onPlace: async () => void say("place"),
  onSilent: async (other) => void say(`silent ${other}`),
  onPresent: async (other) => void say(`there ${other}`),
  onError: (error) => void say(`error ${error instanceof Error ? error.message : error}`),
});
say("joined");
process.once("SIGTERM", () => {
  void team
    .stop()
    .then(() => db.close())
    .then(() => process.exit(0));
});
