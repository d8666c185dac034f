/** Judges what a worker that joined a server got from it. */
import { type Finding, makeFinding } from "./finding.ts";

interface JoinedFacts {
  /** Absolute path of `worker.json`. */
  readonly file: string;
  /** Null if the folder has joined no server. */
  readonly joined:
    | {
        readonly server: string;
        readonly name: string;
        readonly shared: boolean;
        readonly allow_guard: boolean;
      }
    | { readonly message: string; readonly remedy: string }
    | null;
}

export function joinedFindings({ file, joined }: JoinedFacts): readonly Finding[] {
  if (joined === null) return [];
  if ("message" in joined)
    return [
      makeFinding("error", "worker_file", joined.message, {
        path: file,
        why: "This worker cannot start.",
        remedy: joined.remedy,
      }),
    ];
  const { server, name, shared } = joined;
  const guard = joined.allow_guard ? [guardFinding(file)] : [];
  if (!shared)
    return [
      makeFinding("ok", "worker", `This folder joined ${server} as ${name}, with a login of its own.`),
      ...guard,
    ];
  return [
    makeFinding(
      "warning",
      "worker",
      `This folder joined ${server} as ${name}, and uses the server's own login.`,
      {
        why: "Whoever reads its worker.json may do with the Postgres what the server may. The server's login may make no roles.",
        path: file,
        remedy: `Give that login the right to make roles (\`alter role … createrole\`), delete this file, and join again: \`tazuna workers invite\` on the server prints the command.`,
      },
    ),
    ...guard,
  ];
}

function guardFinding(file: string): Finding {
  return makeFinding(
    "info",
    "worker_guard",
    "Agents may work without a sandbox here, and could read worker.json.",
    {
      why: "It was joined with `--allow-guard`.",
      path: file,
    },
  );
}
