/** Names what is asked of GitHub in GraphQL, since its other API does not know it. */

/** Both change the draft mark, and nothing else. */
export const TO_READY =
  "mutation($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
export const TO_DRAFT =
  "mutation($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";

/** Which threads of a pull request are resolved, by their first comments. */
export const RESOLUTIONS = `query($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { isResolved comments(first: 1) { nodes { fullDatabaseId } } }
    }
  } }
}`;
