/** Reads and writes objects at a place in object storage, with the keys of this engine's environment (ADR 0103). */
import { err, ok, type Result } from "neverthrow";
import { type LogPlace, logPlaceText, type ObjectKeys, readLogPlace } from "../../domain/run/log-place.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";

export interface ObjectError {
  /** `refused`: the storage answered, and a person has to change something. */
  readonly code: "missing" | "refused" | "away";
  readonly message: string;
}

export interface ObjectStore {
  /** Stores it as a whole or not at all, over what was there. */
  put(name: string, bytes: Uint8Array): Promise<Result<void, ObjectError>>;
  get(name: string): Promise<Result<Uint8Array, ObjectError>>;
  /** Also if there is none. */
  remove(name: string): Promise<Result<void, ObjectError>>;
}

const LIMIT_MS = 30_000;

/** Null if this engine has no keys, or the place cannot be read. */
export function openPlace(keys: ObjectKeys | null, placeText: string): ObjectStore | null {
  const place = readLogPlace(placeText);
  return keys === null || place.isErr() ? null : openStore(keys, place.value);
}

function openStore(keys: ObjectKeys, place: LogPlace): ObjectStore {
  const { bucket, prefix, endpoint, region } = place;
  const client = new Bun.S3Client({
    accessKeyId: keys.id,
    secretAccessKey: keys.secret,
    bucket,
    ...(endpoint === null ? {} : { endpoint }),
    ...(region === null ? {} : { region }),
  });
  const asked = async <T>(ask: () => Promise<T>): Promise<Result<T, ObjectError>> => {
    try {
      const answer = ask();
      // The client itself waits without end for a server that does not answer.
      if (await settlesWithin(LIMIT_MS, answer)) return ok(await answer);
      return err({ code: "away", message: `${logPlaceText(place)}: no answer within ${LIMIT_MS / 1000} s` });
    } catch (error) {
      return err(objectError(error, logPlaceText(place)));
    }
  };
  return {
    put: (name, bytes) => asked(async () => void (await client.write(prefix + name, bytes))),
    get: (name) => asked(() => client.file(prefix + name).bytes()),
    remove: async (name) => {
      const removed = await asked(() => client.delete(prefix + name));
      return removed.orElse((error) => (error.code === "missing" ? ok(undefined) : err(error)));
    },
  };
}

/** What S3 answers if it will answer the same again. All else may pass. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  ...["NoSuchBucket", "InvalidBucketName", "AccessDenied", "AllAccessDisabled", "InvalidAccessKeyId"],
  ...["SignatureDoesNotMatch", "AuthorizationHeaderMalformed", "PermanentRedirect", "ExpiredToken"],
]);

function objectError(error: unknown, place: string): ObjectError {
  const code = error instanceof Error && "code" in error ? error.code : null;
  const words = error instanceof Error ? error.message : String(error);
  const message = `${place}: ${code === null ? words : `${words} (${String(code)})`}`;
  if (code === "NoSuchKey") return { code: "missing", message };
  return { code: REFUSALS.has(code) ? "refused" : "away", message };
}
