/** Serves the depot on this machine's disk to git: lets workers in by their keys, and judges what they push. */
import { timingSafeEqual } from "node:crypto";
import { type FileHandle, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { MAX_COMMAND_BYTES, type PushCommand, readPushCommands } from "../../domain/depot/push-commands.ts";
import { type DepotCall, readDepotCall } from "../../domain/depot/served.ts";
import { answerGit, type GitReply } from "../../git/depot/answer-git.ts";
import { ensureBare } from "../../git/depot/bare-repository.ts";
import { depotAddresses, depotKeyOf } from "../../storage/team/depot.ts";
import type { Uses } from "../core/context-parts.ts";
import { depotName } from "./depot-of.ts";
import { judgePush } from "./judge-push.ts";
import { hashOfKey } from "./watch-depot.ts";

/** What of a request git has to know. */
interface CallHeaders {
  readonly contentType: string;
  readonly contentEncoding: string;
  /** `Git-Protocol`. */
  readonly protocol: string;
}

interface DepotRequest extends CallHeaders {
  readonly method: string;
  /** As it came, not decoded. */
  readonly path: string;
  readonly query: string;
  /** Who was recognized. */
  readonly worker: string;
  readonly body: AsyncIterable<Uint8Array> | null;
}

interface JudgedRequest extends DepotRequest {
  readonly call: DepotCall;
}

interface DepotReply extends Pick<GitReply, "status" | "headers"> {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

interface DepotRefusal {
  readonly status: 400 | 403 | 404 | 413 | 415 | 500;
  readonly message: string;
}

export interface DepotServer {
  /** Whether the worker has that key. */
  recognizes(worker: string, key: string): Promise<boolean>;
  answer(request: DepotRequest): Promise<Result<DepotReply, DepotRefusal>>;
}

type ServeContext = Uses<"db" | "git" | "reportFault">;

/** The first push of a repository takes its whole history along. */
export const MAX_PUSH_BYTES = 4 * 1024 ** 3;
const GIT_MS = 30 * 60_000;
/** The folder of what is just coming in. */
export const INCOMING = "incoming";

/** `root` is absolute. */
export function createDepotServer(context: ServeContext, root: string): DepotServer {
  return {
    recognizes: async (worker, key) => {
      const known = await depotKeyOf(context.db.reader, worker);
      if (known === null) return false;
      const [one, other] = [Buffer.from(known), Buffer.from(hashOfKey(key))];
      return one.length === other.length && timingSafeEqual(one, other);
    },
    answer: async (request) => {
      const call = readDepotCall(request);
      if (call === null) return refused(404, "There is no such address in a depot.");
      const { name } = call;
      const address = (await depotAddresses(context.db.reader)).find((each) => depotName(each) === name);
      if (address === undefined) return refused(404, "No repository of this team has that name.");
      const made = await ensureBare(context.git, root, name);
      if (made.isErr()) return faulty(context, made.error.message);
      // Beside the repositories: the disk that has to have room for them.
      const incoming = join(root, INCOMING);
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      const folder = await mkdtemp(join(incoming, "call-"));
      try {
        return await answerIn(context, { ...request, call }, { root, folder });
      } finally {
        // Whoever reads the answer holds it open.
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function answerIn(
  context: ServeContext,
  request: JudgedRequest,
  { root, folder }: { readonly root: string; readonly folder: string },
): Promise<Result<DepotReply, DepotRefusal>> {
  const { call, worker, contentType, contentEncoding, protocol } = request;
  const bodyFile = join(folder, "body");
  const saved = await save(bodyFile, request.body);
  if (saved !== null) return err(saved);
  if (call.path === "git-receive-pack") {
    const judged = await judgeBody(context, request, bodyFile);
    if (judged !== null) return err(judged);
  }
  const answerFile = join(folder, "answer");
  const answered = await answerGit(context.git, {
    ...{ root, name: call.name, worker, method: call.method, path: call.path, query: call.query },
    ...{ contentType, contentEncoding, protocol, bodyFile, answerFile, timeoutMs: GIT_MS },
  });
  if (answered.isErr()) return faulty(context, answered.error.message);
  const { status, headers, bodyAt } = answered.value;
  return ok({ status, headers, body: streamOf(await open(answerFile), bodyAt) });
}

/** The very file that git reads afterwards. */
async function judgeBody(
  context: Uses<"db">,
  { call, worker, contentEncoding }: JudgedRequest,
  bodyFile: string,
): Promise<DepotRefusal | null> {
  if (contentEncoding !== "") return { status: 415, message: "A push is not compressed as a whole." };
  const commands = await commandsOf(bodyFile);
  if (commands === null) return { status: 400, message: "That is no push that a depot takes." };
  const why = await judgePush(context, { worker, repository: call.name, commands });
  return why === null ? null : { status: 403, message: why };
}

async function commandsOf(file: string): Promise<readonly PushCommand[] | null> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(Math.min(size, MAX_COMMAND_BYTES));
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
  return readPushCommands(bytes.subarray(0, bytesRead));
}

/** Null once it is written; it is never held in memory. */
async function save(file: string, body: AsyncIterable<Uint8Array> | null): Promise<DepotRefusal | null> {
  await using handle = await open(file, "wx", 0o600);
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_PUSH_BYTES) return { status: 413, message: "A push may have 4 GiB at most." };
    await writeAll(handle, chunk);
  }
  return null;
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
}

const PIECE_BYTES = 64 * 1024;

/** Reads on as the client takes it, and closes the file at the end. */
function streamOf(handle: FileHandle, start: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = start;
  return new ReadableStream({
    async pull(controller) {
      const piece = new Uint8Array(PIECE_BYTES);
      const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES, at);
      at += bytesRead;
      if (bytesRead > 0) return controller.enqueue(piece.subarray(0, bytesRead));
      await handle.close();
      controller.close();
    },
    cancel: () => handle.close(),
  });
}

function refused(status: DepotRefusal["status"], message: string): Result<never, DepotRefusal> {
  return err({ status, message });
}

function faulty({ reportFault }: Uses<"reportFault">, message: string): Result<never, DepotRefusal> {
  reportFault("serving the depot", new Error(message));
  return refused(500, "The depot could not be used; its server's log says why.");
}
