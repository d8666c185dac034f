/** Gathers what people wrote about a merge request on GitLab: discussions on lines and on the whole, and single notes. */
import { z } from "zod";
import { readComment } from "../../domain/pull-request/own-comment.ts";
import type { ReviewThread } from "../../domain/pull-request/pull-request.ts";
import { readShape } from "../http/read-shape.ts";
import type { GitLabClient } from "./gitlab-client.ts";
import { headOf, type MergeRequest, placeOf, readShown } from "./merge-requests.ts";
import { asWritten } from "./quick-actions.ts";

export async function listDiscussions(
  client: GitLabClient,
  number: number,
): Promise<readonly ReviewThread[]> {
  const given = await client.all(`${await placeOf(client, number)}/discussions`, { per_page: 100 });
  const discussions = readShape(z.array(discussion), given, "discussions");
  if (discussions.length === 0) return [];
  const shown = await readShown(client, number);
  return discussions.flatMap((one) => threadOf(one, shown));
}

const position = z.object({
  head_sha: z.string().nullish(),
  old_path: z.string().nullish(),
  new_path: z.string().nullish(),
  old_line: z.int().nullish(),
  new_line: z.int().nullish(),
});
const note = z.object({
  id: z.int(),
  body: z.string(),
  author: z.object({ username: z.string() }).nullable(),
  created_at: z.string(),
  /** GitLab's own words, as "changed the title". */
  system: z.boolean(),
  resolvable: z.boolean().default(false),
  resolved: z.boolean().optional(),
  position: position.nullish(),
});
const discussion = z.object({ id: z.string(), individual_note: z.boolean(), notes: z.array(note) });

/** A note that nobody can answer in its place is named by its own number. */
function threadOf(one: z.output<typeof discussion>, shown: MergeRequest): readonly ReviewThread[] {
  const notes = one.notes.filter(({ system }) => !system);
  const [first] = notes;
  if (first === undefined) return [];
  const at = first.position ?? null;
  const isNew = at?.new_line != null;
  const resolvable = notes.filter((each) => each.resolvable);
  return [
    {
      id: one.individual_note ? `note:${first.id}` : `discussion:${one.id}`,
      path: (isNew ? at.new_path : (at?.old_path ?? at?.new_path)) ?? null,
      line: at?.new_line ?? at?.old_line ?? null,
      side: at === null || (at.new_line == null && at.old_line == null) ? null : isNew ? "new" : "old",
      resolved: resolvable.length === 0 ? null : resolvable.every(({ resolved }) => resolved === true),
      // GitLab moves a position along with the commits as long as its line is the same.
      outdated: at?.head_sha != null && at.head_sha !== headOf(shown),
      url: `${shown.web_url}#note_${first.id}`,
      comments: notes.map(({ id, author, created_at, body }) => {
        const { body: said, ours } = readComment(body);
        return {
          id: `note:${id}`,
          author: author?.username ?? null,
          at: created_at,
          body: ours ? asWritten(said) : said,
          ours,
        };
      }),
    },
  ];
}
