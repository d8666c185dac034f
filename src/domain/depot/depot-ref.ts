/** Names the references of a depot. Each is made once and never moved, so their names say who may make them. */

/** `live`: files while a run works. `runs`: the commit of a run. `snapshots`: a snapshot, as in the clone. */
export type DepotRef =
  | {
      readonly kind: "live" | "runs";
      readonly attempt: string;
      readonly run: string;
      /** Of the run's lease. */
      readonly epoch: number;
      readonly number: number;
    }
  | { readonly kind: "snapshots"; readonly attempt: string; readonly number: number };

const OF_RUN =
  /^refs\/tazuna\/(live|runs)\/([0-9A-Za-z-]{1,64})\/([0-9A-Za-z-]{1,64})\/(\d{1,9})\/(\d{1,9})$/;
const SNAPSHOT = /^refs\/tazuna\/snapshots\/([0-9A-Za-z-]{1,64})\/(\d{1,9})$/;

export function depotRef(ref: DepotRef): string {
  return ref.kind === "snapshots"
    ? `refs/tazuna/snapshots/${ref.attempt}/${ref.number}`
    : `${runFolder(ref)}${ref.number}`;
}

/** What the references of one kind of a run have in common. */
export function runFolder(ref: Omit<Exclude<DepotRef, { kind: "snapshots" }>, "number">): string {
  return `refs/tazuna/${ref.kind}/${ref.attempt}/${ref.run}/${ref.epoch}/`;
}

/** Null if no depot has a reference of that name. */
export function readDepotRef(name: string): DepotRef | null {
  const snapshot = SNAPSHOT.exec(name);
  if (snapshot !== null)
    return { kind: "snapshots", attempt: snapshot[1] ?? "", number: Number(snapshot[2]) };
  const [, kind, attempt = "", run = "", epoch, number] = OF_RUN.exec(name) ?? [];
  if (kind === undefined) return null;
  return { kind: kind as "live" | "runs", attempt, run, epoch: Number(epoch), number: Number(number) };
}
