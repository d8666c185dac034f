/** Lists the harmless twins of vendors M to Z: what their documentation shows, and what published rules leave out. */
import type { FileTemplate } from "./context-templates.ts";

const row = (name: string, path: string, text: string): FileTemplate => ({ name, path, text });

export const VENDOR_HARMLESS: readonly FileTemplate[] = [
  row(
    "sums in Objective-C",
    "sum.m",
    "- (NSNumber *)sumOfProperty:(NSString *)property;\n- (NSInteger)sumOfValuesInRange:(NSRange)range;\n",
  ),
  row(
    "settings of Sumo Logic",
    "sumo.env",
    `SUMO_ACCESS_KEY=\${SUMO_ACCESS_KEY:=$2}\nsumo_access_key = "<SUMOLOGIC ACCESS KEY>"\n`,
  ),
  row(
    "words of Slack",
    "slack.md",
    "xoxb-my-bot-token\nxoxb-Slack_BOT_TOKEN\nxoxe.xoxp-1-SlackAppConfigurationAccessTokenHere\n",
  ),
  row(
    "code lists of XML",
    "agency.xsd",
    '<xsd:element name="AgencyIdentificationCode" type="clm<D8>:AgencyIdentificationCodeContentType"/>\n',
  ),
  row(
    "members of minified code",
    "s.min.js",
    "s.AcceptanceTimeoutSeconds=1;s.makeKubeConfigController=args;o.getElementsByClassNameOfRoot32=e;o.thisstringisalllowercaselettered=1\n",
  ),
  row("feeds of NuGet", "nuget.config", '<add key="ClearTextPassword" value="%FEED_PASSWORD%" />\n'),
  row("digest of an image", "deploy.yaml", "image: aws-cli@sha256:eaaa<H60>\n"),
  row(
    "names of OpenSSL",
    "ssl.c",
    "sk_X509_NAME_new_null(); sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free);\n",
  ),
  row(
    "names of CSS",
    "a.css",
    ".as-internationalization-panel-2 {}\n.tr-responsive-table-row-striped-hover {}\n.ak-editor-content-area-region-12 {}\n.nk-window-content-layout-fixed-header-12-container {}\n",
  ),
  row(
    "tests with long names",
    "test_long.py",
    "def test_that_every_worker_is_stopped_before_the_queue_2():\n    pass\n",
  ),
  row("permissions", "perm.yml", "perm: read.write.execute\nperm-group: admins.of.everything\n"),
  row("resources of UI", "u.html", '<a href="/u12345-profile">x</a><img src="m1234567-thumbnail.png">\n'),
  row("addresses of versions", "api.md", "GET /v2/organizations/{id}/members/{member}/invitations/pending\n"),
  row("publishable id of Polar", "polar.md", "polar_ci_<A40>\n"),
  row("ids of sessions of checkout", "checkout.ts", 'expect(id).toBe("cs_test_your_session_id");\n'),
  row(
    "kinds of environments",
    "flags.md",
    "Use `default:development.<token>` or `*:*.unleash-insecure-api-token`.\n",
  ),
  row("cookies of consent", "c.js", 'set("c1.prefs.consent", "live_chat_widget_is_open_on_every_page_1");\n'),
  row("UUID of a session", "s.json", '{"sessionId":"<uuid>","requestId":"<uuid>","tokenId":"<uuid>"}\n'),
  row("hash behind a name", "cache.json", '{"cacheKey":"web_<H64>","etag":"sha1:<H40>","token":"<H40>"}\n'),
  row("placeholder of Riot", "riot.md", "RGAPI-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\nRGAPI-YOUR-KEY-HERE\n"),
  row("keys of Proxmox in words", "pve.md", "PVEAPIToken=USER@REALM!TOKENID=UUID\n"),
  row("host of QuickNode", "rpc.md", "https://your-endpoint.quiknode.pro/your-token/\n"),
  row("secret of ramps", "ramp.scss", "$ramp_sec_color_palette_for_large_headlines: 1;\n"),
  row(
    "tables in words",
    "m.md",
    "| key_of_the_primary_index_of_every_table_2 | apikey_for_internal_documentation_pages |\n",
  ),
  row(
    "schemes of signatures",
    "sign.md",
    "Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request\nAuthorization: Signature keyId=my-key-id-of-production\n",
  ),
  row(
    "words behind a login",
    "login.md",
    "gh auth login --hostname github.acme-internal-services.example.org\nlogin --username-of-the-administrator\nngrok config add-authtoken $NGROK_AUTHTOKEN\nsnyk auth $SNYK_TOKEN\n",
  ),
  row(
    "passwords of Apple in words",
    "apple.md",
    'altool -p "@keychain:AC_PASSWORD" and --password abcd-efgh-ijkl-mnop or xxxx-xxxx-xxxx-xxxx; password: your-pass-word-here\n',
  ),
  row(
    "clients of files",
    "client.rb",
    'Client.new("/var/run/acme/production-server.sock")\ntwilio(accountSid, authToken);\nnew Client("acme-frontend", "production-environment-client");\n',
  ),
  row(
    "users of queues",
    "mq.sh",
    "rabbitmqctl add_user guest guest\nrabbitmqctl add_user app $PASSWORD\npulumi config set --secret dbPassword $DB_PASSWORD\n",
  ),
  row(
    "values of the standard for OAuth 1",
    "oauth.md",
    'oauth_consumer_key="0685bd9184jfhq22", oauth_token="kkk9d7dh3k39sjv7"\nconsumer_key=9djdj82h48djs9d2\n',
  ),
  row(
    "publishable key of a client",
    "client.ts",
    'createClient(url, "sb_publishable_<A22>_<A8>");\nnew ClerkClient("pk_test_<A40>");\n',
  ),
];
