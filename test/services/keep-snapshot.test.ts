/** Tells that a snapshot's record appears together with the journal's word that it was taken. */
import { expect } from "bun:test";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { keepSnapshot } from "../../src/services/run-core/keep-snapshot.ts";
import { intendedOperations } from "../../src/storage/tables/operations.ts";
import { snapshotsOfAttempt } from "../../src/storage/tables/snapshots.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { newId } from "../../src/utils/values/ids.ts";
import { productGit } from "../git/scene.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { insertSampleRun, sampleAttempt } from "../storage/sample-rows.ts";

const OWNER = { attempt: { ...sampleAttempt, gitDir: null }, run: { id: "run-1" } };

onBothDatabases(
  "once the journal says that a snapshot was taken, it is recorded: a crash leaves both or recovery looks",
  async ({ db }) => {
    await using sandbox = await gitSandbox();
    const repository = await sandbox.repository("repo");
    await transact(db, insertSampleRun);
    const newFacts = createNotifier();
    const seen: Promise<unknown>[] = [];
    newFacts.subscribe(() => {
      const look = [intendedOperations(db.reader), snapshotsOfAttempt(db.reader, sampleAttempt.id)] as const;
      seen.push(Promise.all(look).then(([intended, kept]) => [intended.length, kept.map(({ ref }) => ref)]));
    });
    const context = {
      db,
      newFacts,
      clock: systemClock,
      newId,
      git: productGit(sandbox),
      failpoint: () => {},
      ownDepot: { nudge: () => undefined },
    };
    const kept = await keepSnapshot(context as unknown as ServiceContext, OWNER, {
      target: { gitDir: `${repository}/.git`, workTree: repository },
      reason: "test",
    });
    expect(await Promise.all(seen)).toEqual([[0, [kept._unsafeUnwrap().ref]]]);
  },
);

onBothDatabases(
  "a snapshot whose reference somebody deleted keeps its number: the next one is recorded beside it",
  async ({ db }) => {
    await using sandbox = await gitSandbox();
    const repository = await sandbox.repository("repo");
    await transact(db, insertSampleRun);
    const git = productGit(sandbox);
    const context = {
      db,
      newFacts: createNotifier(),
      clock: systemClock,
      newId,
      git,
      failpoint: () => {},
      ownDepot: { nudge: () => undefined },
    };
    const take = async () =>
      (
        await keepSnapshot(context as unknown as ServiceContext, OWNER, {
          target: { gitDir: `${repository}/.git`, workTree: repository },
          reason: "test",
        })
      )._unsafeUnwrap();
    const first = await take();
    await sandbox.git(repository, ["update-ref", "-d", first.ref]);
    const second = await take();
    const recorded = await snapshotsOfAttempt(db.reader, sampleAttempt.id);
    expect(recorded.map(({ number, ref }) => [number, ref])).toEqual([
      [1, first.ref],
      [2, second.ref],
    ]);
  },
);
