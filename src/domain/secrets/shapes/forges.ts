/** Lists tokens of forges, of package registries and of tools that build and deploy. */
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import { isGenerated, LETTERS, startsWith, token } from "../token.ts";

export const FORGES: readonly SecretShape[] = [
  // The newer form of `ghs_` is a JSON web token.
  token("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9._-]{19,}[A-Za-z0-9]"),
  token("GitHub fine-grained token", "github_pat_", "[A-Za-z0-9_]{20,}"),
  token(
    "GitLab token",
    "glpat- gldt- glrt- glrtr- gloas- glcbt- glptt- glft- glsoat- glimt- glagent- glffct- glwt-",
    "[A-Za-z0-9._=-]{15,}[A-Za-z0-9]",
  ),
  token("GitLab runner registration token", "GR1348941", `${WORD}{20,}`),
  token("GitLab feed token", "feed_token=", "[A-Za-z0-9_-]{20,}", { anyCase: true }),
  token("GitLab session", "_gitlab_session=", "[a-z0-9]{32}"),
  token("Bitbucket or Atlassian token", "ATATT3 ATCTT3 ATBB ATSTT3 ATOAT3", "[A-Za-z0-9_=.-]{24,}"),
  token("Azure DevOps token", "AZDO", `${ALNUM}{76}AZDO${ALNUM}{4}`, { before: 76 }),
  token(
    "Sourcegraph or Segment token",
    "sgp_ sgph_ sgd_ slk_ sgs_",
    "(?:[a-f0-9]{16}_|local_)?[A-Za-z0-9]{40,64}",
    {
      wordStart: true,
    },
  ),
  token("SpectralOps key", "spu-", "[a-z0-9]{32}", { wordStart: true }),
  token("TruffleHog secret", "thog-agent- thog-secret-", `${HEX}{32}`),

  token("npm token", "npm_", `${ALNUM}{36}`),
  token("PyPI token", "pypi-Ag", `${WORD}{30,}`),
  token("RubyGems key", "rubygems_", `${HEX}{48}`),
  token("crates.io token", "cio", `${ALNUM}{32}`, { isAmbiguous: true }),
  token("NuGet key", "oy2", "[a-z0-9]{43}", { isAmbiguous: true }),
  token("Clojars token", "CLOJARS_", "[a-z0-9]{60}", { anyCase: true }),
  token("Docker token", "dckr_pat_ dckr_oat_", `${WORD}{20,}`),
  token("JFrog key", "AKC", `${ALNUM}{64,}`),
  token("JFrog reference token", "cmVmd", `${ALNUM}{59}`),
  token("NPM legacy or Artifactory token", "//registry.npmjs.org/:_authToken=", UUID),

  token("application key", "base64:", `${BASE64}{43}=`, { wordStart: true, isAmbiguous: true }),
  token("Django secret key", "django-insecure-", "[^\\s'\"`<>\\\\]{40,60}"),
  token("CircleCI token", "CCI", `[A-Z]{3,5}_(?<own>${ALNUM}{10,}_[a-fA-F0-9]{40})`),
  token(
    "Buildkite token",
    startsWith("bk", "acjpsqu"),
    `(?<=bk[a-z])[a-z]{1,3}_(?:${ALNUM}{6,10}[._])?(?<own>${WORD}{20,})`,
    { wordStart: true },
  ),
  token("Harness token", "pat. sat.", `${WORD}{22}\\.${ALNUM}{24}\\.${ALNUM}{20}`, { wordStart: true }),
  token("Octopus Deploy key", "API-", "[A-Z0-9]{25,31}", { wordStart: true, isAmbiguous: true }),
  token("Pulumi token", "pul-", `${HEX}{40}`, { wordStart: true }),
  token("Terraform Cloud token", ".atlasv1.", `${ALNUM}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,}`, {
    before: 14,
    wordStart: true,
  }),
  token(
    "Doppler token",
    "dp.pt. dp.st. dp.ct. dp.sa. dp.said. dp.scim. dp.audit.",
    "(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}",
    {
      wordStart: true,
    },
  ),
  token("Infisical token", "st.", `(?:${HEX}{24}|${UUID})\\.${HEX}{32,}\\.${HEX}{32,}`, { wordStart: true }),
  token("1Password service account token", "ops_ey", `${BASE64}{100,}={0,3}`),
  token(
    "1Password secret key",
    "A3-",
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){2,3}",
    {
      wordStart: true,
    },
  ),
  token("HashiCorp Vault older token", startsWith("s.", LETTERS), "[A-Za-z0-9]{23}", {
    wordStart: true,
    isAmbiguous: true,
    isReal: isGenerated,
  }),
  token("HashiCorp Vault token", "hvs. hvb. hvr.", `${WORD}{24,}`, { wordStart: true }),
  token(
    "Bitwarden access token",
    startsWith("0.", "0123456789abcdef"),
    `[0-9a-f]{7}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\.${ALNUM}{30}:${BASE64}{22}==`,
    { wordStart: true },
  ),
  token("Snyk token", "snyk_uat. snyk_sat.", "[a-f0-9]{8}\\.[A-Za-z0-9._-]{40,}"),
  token("SonarQube token", "sqp_ squ_ sqa_ sqb_", `${HEX}{40}`, { wordStart: true }),
  token("LaunchDarkly key", "api- sdk- mob-", UUID, { wordStart: true, isAmbiguous: true }),
  token("Prefect token", "pnu_ pnb_", `${ALNUM}{36}`, { wordStart: true }),
  token("Postman key", "PMAK-", "[a-fA-F0-9]{24}-[a-fA-F0-9]{34}"),
  token("Postman collection key", "PMAT-", "[A-Z0-9]{26}"),
  token("ReadMe key", "rdme_", "[a-z0-9]{70}"),
  token("Figma token", "figd_ figo_ figu_ figor_ figs_", `${WORD}{36,}`, { wordStart: true }),
  token("Linear key", "lin_api_ lin_oauth_", `${ALNUM}{32,}`),
  token("Notion token", "ntn_", `${ALNUM}{40,}`, { wordStart: true }),
  token("Notion older token", "secret_", `${ALNUM}{43}`, { wordStart: true, isAmbiguous: true }),
  token(
    "Asana token",
    `${startsWith("0/", "0123456789")} ${startsWith("1/", "0123456789")} ${startsWith("2/", "0123456789")}`,
    "[0-9]{9,}(?:/[0-9]{10,})?:(?<own>[a-f0-9]{32})",
    { isAmbiguous: true },
  ),
  token("Airtable token", "pat", `${ALNUM}{14}\\.${HEX}{64}`),
  token("Typeform token", "tfp_", "[A-Za-z0-9_.=-]{40,}", { wordStart: true }),
  token("Contentful token", "CFPAT-", `${WORD}{40,}`),
  token("Frame.io token", "fio-u-", "[A-Za-z0-9_=-]{60,}"),
];
