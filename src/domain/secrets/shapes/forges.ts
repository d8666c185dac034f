/** Lists tokens of forges, of package registries and of tools that build and deploy. */
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import {
  AMBIGUOUS,
  AMBIGUOUS_WHOLE,
  GENERATED,
  LETTERS,
  startsWith,
  token,
  tokens,
  WHOLE,
} from "../token.ts";

export const FORGES: readonly SecretShape[] = [
  ...tokens()`
    GitHub fine-grained token        | github_pat_              | [A-Za-z0-9_]{20,}
    GitLab token                     | glpat- gldt- glrt- glrtr- gloas- glcbt- glptt- glft- glsoat- glimt- glagent- glffct- glwt- | [A-Za-z0-9._=-]{15,}[A-Za-z0-9]
    GitLab runner registration token | GR1348941                | ${WORD}{20,}
    GitLab session                   | _gitlab_session=         | [a-z0-9]{32}
    Bitbucket or Atlassian token     | ATATT3 ATCTT3 ATBB ATSTT3 ATOAT3 | [A-Za-z0-9_=.-]{24,}
    TruffleHog secret                | thog-agent- thog-secret- | ${HEX}{32}
    npm token                        | npm_                     | ${ALNUM}{36}
    PyPI token                       | pypi-Ag                  | ${WORD}{30,}
    RubyGems key                     | rubygems_                | ${HEX}{48}
    Docker token                     | dckr_pat_ dckr_oat_      | ${WORD}{20,}
    JFrog key                        | AKC                      | ${ALNUM}{64,}
    JFrog reference token            | cmVmd                    | ${ALNUM}{59}
    NPM legacy or Artifactory token  | //registry.npmjs.org/:_authToken= | ${UUID}
    Django secret key                | django-insecure-         | [^\s'"\`<>\\]{40,60}
    CircleCI token                   | CCI                      | [A-Z]{3,5}_(?<own>${ALNUM}{10,}_[a-fA-F0-9]{40})
    1Password service account token  | ops_ey                   | ${BASE64}{100,}={0,3}
    Snyk token                       | snyk_uat. snyk_sat.      | [a-f0-9]{8}\.[A-Za-z0-9._-]{40,}
    Postman key                      | PMAK-                    | [a-fA-F0-9]{24}-[a-fA-F0-9]{34}
    Postman collection key           | PMAT-                    | [A-Z0-9]{26}
    ReadMe key                       | rdme_                    | [a-z0-9]{70}
    Linear key                       | lin_api_ lin_oauth_      | ${ALNUM}{32,}
    Airtable token                   | pat                      | ${ALNUM}{14}\.${HEX}{64}
    Contentful token                 | CFPAT-                   | ${WORD}{40,}
    Frame.io token                   | fio-u-                   | [A-Za-z0-9_=-]{60,}
  `,
  ...tokens(WHOLE)`
    Sourcegraph or Segment token | sgp_ sgph_ sgd_ slk_ sgs_ | (?:[a-f0-9]{16}_|local_)?[A-Za-z0-9]{40,64}
    SpectralOps key              | spu-                     | [a-z0-9]{32}
    Harness token                | pat. sat.                | ${WORD}{22}\.${ALNUM}{24}\.${ALNUM}{20}
    Pulumi token                 | pul-                     | ${HEX}{40}
    Doppler token                | dp.pt. dp.st. dp.ct. dp.sa. dp.said. dp.scim. dp.audit. | (?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}
    Infisical token              | st.                      | (?:${HEX}{24}|${UUID})\.${HEX}{32,}\.${HEX}{32,}
    1Password secret key         | A3-                      | [A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){2,3}
    HashiCorp Vault token        | hvs. hvb. hvr.           | ${WORD}{24,}
    SonarQube token              | sqp_ squ_ sqa_ sqb_      | ${HEX}{40}
    Prefect token                | pnu_ pnb_                | ${ALNUM}{36}
    Figma token                  | figd_ figo_ figu_ figor_ figs_ | ${WORD}{36,}
    Notion token                 | ntn_                     | ${ALNUM}{40,}
    Typeform token               | tfp_                     | [A-Za-z0-9_.=-]{40,}
  `,
  ...tokens(AMBIGUOUS)`
    crates.io token | cio | ${ALNUM}{32}
    NuGet key       | oy2 | [a-z0-9]{43}
  `,
  ...tokens(AMBIGUOUS_WHOLE)`
    application key    | base64:        | ${BASE64}{43}=
    Octopus Deploy key | API-           | [A-Z0-9]{25,31}
    LaunchDarkly key   | api- sdk- mob- | ${UUID}
    Notion older token | secret_        | ${ALNUM}{43}
  `,
  // The newer form of `ghs_` is a JSON web token.
  token("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9._-]{19,}[A-Za-z0-9]"),
  token("GitLab feed token", "feed_token=", "[A-Za-z0-9_-]{20,}", { anyCase: true }),
  token("Azure DevOps token", "AZDO", `${ALNUM}{76}AZDO${ALNUM}{4}`, { before: 76 }),
  token("Clojars token", "CLOJARS_", "[a-z0-9]{60}", { anyCase: true }),
  token(
    "Buildkite token",
    startsWith("bk", "acjpsqu"),
    `(?<=bk[a-z])[a-z]{1,3}_(?:${ALNUM}{6,10}[._])?(?<own>${WORD}{20,})`,
    WHOLE,
  ),
  token("Terraform Cloud token", ".atlasv1.", `${ALNUM}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,}`, {
    before: 14,
    wordStart: true,
  }),
  token("HashiCorp Vault older token", startsWith("s.", LETTERS), "[A-Za-z0-9]{23}", GENERATED),
  token(
    "Bitwarden access token",
    startsWith("0.", "0123456789abcdef"),
    `[0-9a-f]{7}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\.${ALNUM}{30}:${BASE64}{22}==`,
    WHOLE,
  ),
  token(
    "Asana token",
    `${startsWith("0/", "0123456789")} ${startsWith("1/", "0123456789")} ${startsWith("2/", "0123456789")}`,
    "[0-9]{9,}(?:/[0-9]{10,})?:(?<own>[a-f0-9]{32})",
    AMBIGUOUS,
  ),
];
