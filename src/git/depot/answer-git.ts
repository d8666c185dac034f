/** Answers one request of git over HTTP from the bare repositories below a folder, by `git http-backend`. */
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git } from "../runner/run-git.ts";

/** A request that was judged: its repository is there, and its caller may do that. */
interface GitRequest {
  /** Absolute. */
  readonly root: string;
  /** The folder of the repository below `root`. */
  readonly name: string;
  readonly worker: string;
  readonly method: "GET" | "POST";
  /** Behind the repository, such as `info/refs`. */
  readonly path: string;
  readonly query: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** The version of git's protocol that the client speaks. */
  readonly protocol: string;
  /** Absolute: the body, and where the answer is written. */
  readonly bodyFile: string;
  readonly answerFile: string;
  readonly timeoutMs: number;
}

/** Where the body of the answer begins in its file, and how long the file is. */
export interface GitReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyAt: number;
  readonly size: number;
}

/** Whatever the repository's own file says: nothing is deleted or moved, and nothing is collected in between. */
const SERVED = {
  "http.receivepack": "true",
  "http.getanyfile": "false",
  "receive.denyDeletes": "true",
  "receive.denyNonFastForwards": "true",
  "receive.autogc": "false",
};

export async function answerGit(git: Git, request: GitRequest): GitAnswer<GitReply> {
  const { root, name, timeoutMs, bodyFile, answerFile } = request;
  const { size } = await stat(bodyFile);
  const answered = await git.discover(root, ["http-backend"], {
    timeoutMs,
    stdinFile: bodyFile,
    stdoutFile: answerFile,
    config: { ...SERVED, "safe.directory": join(root, name) },
    extraEnv: {
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: `/${name}/${request.path}`,
      QUERY_STRING: request.query,
      CONTENT_TYPE: request.contentType,
      CONTENT_LENGTH: String(size),
      HTTP_CONTENT_ENCODING: request.contentEncoding,
      GIT_PROTOCOL: request.protocol,
      REMOTE_USER: request.worker,
    },
  });
  return answered.isErr() ? err(answered.error) : ok(await readHead(answerFile));
}

const MAX_HEAD_BYTES = 16 * 1024;

/** A CGI answer: headers, an empty line, the body. */
async function readHead(file: string): Promise<GitReply> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
  const { size } = await handle.stat();
  const head = buffer.subarray(0, bytesRead).toString("latin1");
  const end = head.indexOf("\r\n\r\n");
  const lines = head.slice(0, Math.max(end, 0)).split("\r\n");
  const pairs = lines.map((line) => [
    line.split(":", 1)[0]?.toLowerCase() ?? "",
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  const { status = end < 0 ? "500" : "200", ...headers } = Object.fromEntries(
    pairs.filter(([field]) => field !== ""),
  ) as Record<string, string>;
  return { status: Number.parseInt(status, 10), headers, bodyAt: end < 0 ? size : end + 4, size };
}
