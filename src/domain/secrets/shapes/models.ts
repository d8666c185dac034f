/** Lists keys of model providers and related services, and tokens of chats. */
import { isFake } from "../fake-values.ts";
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
import { isRealWebToken } from "../web-token.ts";

/** The first three characters of a number in base64: an id of Discord. */
const NUMBERS = [..."MNO"].flatMap((first) =>
  [..."DTjz"].flatMap((second) => [..."AEIMQUYcgk"].map((third) => first + second + third)),
);

export const MODELS: readonly SecretShape[] = [
  ...tokens()`
    Weights & Biases key      | wandb_v1_                | ${WORD}{40,}
    Slack token               | xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxd- xoxc- | (?<own>[A-Za-z0-9%-]{10,})
    Slack configuration token | xoxe.xoxb- xoxe.xoxp-    | (?<own>[A-Za-z0-9-]{10,})
    Slack app token           | xapp-                    | [0-9]-[A-Za-z0-9]{1,40}-[0-9]+-(?<own>[A-Za-z0-9]{20,})
    Slack webhook             | hooks.slack.com/         | (?:services|workflows|triggers)/(?<own>[A-Za-z0-9/_+-]{20,})
    Discord webhook           | /api/webhooks/           | [0-9]{15,20}/(?<own>${WORD}{40,})
    Google Chat webhook       | chat.googleapis.com/v1/spaces/ | [A-Za-z0-9_-]{6,}/messages\?key=[A-Za-z0-9_-]{20,}(?:&|&amp;)token=(?<own>[A-Za-z0-9_%-]{20,})
    IFTTT webhook             | maker.ifttt.com/trigger/ | [A-Za-z0-9_-]{1,60}/(?:json/)?with/key/(?<own>${WORD}{15,})
    encoded JSON web token    | ZXlK                     | ${BASE64}{60,}={0,2}
  `,
  ...tokens(WHOLE)`
    OpenAI session               | sess-                  | ${ALNUM}{40}
    Groq key                     | gsk_                   | ${ALNUM}{40,}
    Hugging Face token           | hf_ api_org_           | ${ALNUM}{30,}
    Replicate token              | r8_                    | ${ALNUM}{37,}
    Perplexity key               | pplx-                  | ${ALNUM}{40,}
    xAI key                      | xai-                   | ${ALNUM}{60,}
    NVIDIA key                   | nvapi-                 | ${WORD}{60,}
    Together key                 | tgp_v1_                | ${WORD}{40,}
    Cerebras key                 | csk-                   | [a-z0-9]{40,}
    LangSmith key                | lsv2_pt_ lsv2_sk_ ls__ | ${HEX}{32}(?:_${HEX}{10})?(?!_)
    Anyscale key                 | esecret_               | ${ALNUM}{24,}
    Jina key                     | jina_                  | ${WORD}{50,}
    Cursor key                   | key_                   | ${HEX}{64}
    Tavily key                   | tvly-                  | (?:dev-|prod-)?${WORD}{28,}
    E2B key                      | e2b_                   | ${HEX}{40}
    RunPod or redirect.pizza key | rpa_                   | ${ALNUM}{28,}
    Cartesia key                 | sk_car_                | ${ALNUM}{20,}
    Friendli token               | flp_                   | ${ALNUM}{40,}
    Matrix token                 | syt_                   | [A-Za-z0-9]{2,80}_(?<own>[A-Za-z]{20}_[A-Za-z0-9]{6})
  `,
  ...tokens(AMBIGUOUS_WHOLE)`
    LocalStack token | ls- | ${ALNUM}{8}(?:-${ALNUM}{4}){3}-${ALNUM}{12}
    Voyage key       | pa- | (?=[A-Za-z_-]{0,40}[0-9])${WORD}{43}
    Firecrawl key    | fc- | ${HEX}{32}
  `,
  token("Anthropic key", "sk-ant-", `${WORD}{16,}`, {
    isReal: (candidate) => !isFake(candidate.replace(/^[a-z]+\d+-/, "")),
  }),
  // OpenAI and providers with the same form.
  token("OpenAI-style key", "sk-", `(?=[A-Za-z_-]{0,80}[0-9])${WORD}{20,}`, {
    wordStart: true,
    isReal: (candidate) => !isFake(candidate.replace(/^(?:proj|svcacct|admin|or-v1|None)-/, "")),
  }),
  token("Discord token", NUMBERS.join(" "), `${WORD}{20,25}\\.${WORD}{6}\\.(?<own>${WORD}{27,45})`),
  token(
    "Teams webhook",
    ".webhook.office.com/webhookb2/ outlook.office.com/webhook/ outlook.office365.com/webhook/",
    `${UUID}@${UUID}/(?:IncomingWebhook|AzureDevOps)/(?<own>[A-Za-z0-9]{20,}(?:/[A-Za-z0-9-]{20,})?)`,
    { anyCase: true },
  ),
  token(
    "Telegram bot token",
    startsWith(":A", `${LETTERS}_-`),
    `(?<=(?<![0-9])[0-9]{8,10}:A.)(?<own>${WORD}{32,34})`,
    { wordStart: false },
  ),
  // The three parts of a JSON web token: its content decides whether it is an example.
  token(
    "JSON web token",
    "eyJ",
    `(?<head>[A-Za-z0-9_-]{8,})\\.(?<says>eyJ[A-Za-z0-9_-]{8,})\\.(?<own>[A-Za-z0-9_-]{8,})`,
    { isReal: (candidate, { match }) => isRealWebToken(match.groups?.says ?? "", candidate) },
  ),
  token(
    "Zapier or Make webhook",
    "hooks.zapier.com/hooks/catch/ hook.eu1.make.com/ hook.us1.make.com/ hook.eu2.make.com/",
    "(?:[0-9]{5,}/)?(?<own>[a-z0-9]{6,})",
    AMBIGUOUS,
  ),
  token("Fireworks key", "fw_", `${ALNUM}{22,24}`, GENERATED),
];
