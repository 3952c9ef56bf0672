import type { Product } from '#test/product.ts'
import { measureTurns } from './assistants.ts'
import { measureBulk } from './bulk.ts'
import { measureCampaign, measureCampaignBeside } from './campaigns.ts'
import { type BenchTenant, readList } from './data.ts'
import { measureDecision, measureDistribution } from './distribution.ts'
import {
  measureAttended,
  measureBeside,
  measureCases,
  measureFirstAnswer,
  measureReplay,
  measureSteps,
} from './flows.ts'
import { funnelMeasures } from './funnel.ts'
import { httpLoad, type Load, type Step } from './http-load.ts'
import { measureImport } from './imports.ts'
import type { Limits } from './limits.ts'
import type { Measure } from './loop.ts'
import { measureOwnField } from './own-field.ts'
import { measurePanel } from './panel.ts'
import { measureDelay, measureIngest } from './realtime.ts'
import { measureExport, measureHome, measureReportPage } from './reports.ts'
import { measureSchedules } from './schedules.ts'
import { measureWebhook, measureWebhookBodies, measureWebhookToScreen } from './webhook.ts'

/** Input of a workload. */
export type Bench = {
  product: Product
  tenant: BenchTenant
  size: number
  /** Vacuums, analyses and checkpoints, as a running database has done with data that is a minute old. */
  refresh: () => Promise<void>
  /** Connection URL of the database's owner. */
  databaseUrl: string
}

/** Data of a product that is known from outside. */
type Asked = Pick<Bench, 'tenant' | 'size'> & { product: Pick<Product, 'address'> }

/** Line of the table: measure, contents, raw limit and goal. */
export type Workload = {
  key: string
  name: string
  includes: string
  goal: string
  limit?: (limits: Limits) => Promise<Measure>
  /** Whether its p50 may grow with the size, by a factor of at most 1.3. */
  grows?: boolean
  /** Requests of a workload that consists of HTTP requests only. */
  load?: (bench: Asked) => Promise<Load>
  /** Runs the workload; `limit` replaces the raw limit if it is compared with another measure of ours. */
  run(bench: Bench): Promise<Measure & { limit?: Measure }>
}

/** Words of messages: in every eighth, in every hundredth, and in hardly any. */
const bodyTerms = ['boleto', 'garantia', 'entrega', 'mensagem 54', 'pedido 12345']

/** Search terms: one word of each kind, and letters that many messages contain, but never together. */
const kindsOfTerms = {
  Common: ['boleto', 'mensagem'],
  Rare: ['pedido 12345', '54321'],
  Absent: ['inexistente', 'garantido'],
}

type Operations = readonly (readonly Step[])[]

/** Returns a workload in which an agent or an administrator requests paths one after the other. */
function asked(
  who: 'agent' | 'admin',
  clients: number,
  operations: (bench: Asked) => Operations | Promise<Operations>,
): Required<Pick<Workload, 'load' | 'run'>> {
  const load = async (bench: Asked): Promise<Load> => ({
    address: bench.product.address,
    operations: await operations(bench),
    token: who === 'agent' ? bench.tenant.agentToken : bench.tenant.adminToken,
    clients,
  })
  return { load, run: async (bench) => httpLoad(await load(bench)) }
}

const get = (path: string): Step[] => [{ path }]
const searches = (prefix: string, terms: readonly string[]) =>
  terms.map((term) => get(`${prefix}${encodeURIComponent(term)}`))

const list = () => [get('/api/tickets')]
const open = ({ tenant }: Asked) => tenant.live.map(({ ticketId }) => get(`/api/messages/${ticketId}`))
const openAndRead = ({ tenant }: Asked) =>
  tenant.live.map(({ ticketId, messageId }): Step[] => [
    { path: `/api/messages/${ticketId}` },
    { path: `/api/tickets/${ticketId}/read`, body: { messageId } },
  ])
const contacts = ({ tenant }: Asked) => searches('/api/tickets?showAll=true&searchParam=', tenant.searchTerms)
const bodies =
  (terms: readonly string[] = bodyTerms) =>
  () =>
    searches('/api/searchMessage?searchParam=', terms)

/** Returns the cursor of page 500 (or the last page) of an administrator's list. */
async function deepCursor({ product, tenant, size }: Asked): Promise<string> {
  let cursor = ''
  for (let page = 0; page < Math.min(500, size / 1000); page++) {
    const { nextCursor } = await readList(product.address, tenant.adminToken, { showAll: 'true', cursor })
    if (!nextCursor) break
    cursor = nextCursor
  }
  return encodeURIComponent(cursor)
}

const LIST = 'open and pending tickets that the agent may see, first page, with contacts, tags, counters of unread'
const CHAT = 'newest messages of a conversation that the agent may see, every ninth a picture with its signed link'
const SEARCH = 'tickets by a contact’s name: each term finds one contact'
const BODIES = 'words of messages: frequent, rare and nearly absent ones'
const INGEST = 'a text of a known contact until it is stored, its ticket changed and the event told in the process'

/** Workloads measured at each size; `npm run bench -- --only=chat1,ingest1` selects by key. */
export const workloads: readonly Workload[] = [
  {
    key: 'list1',
    name: 'ticket list, agent, 1 client',
    includes: LIST,
    goal: '≥ 14 %',
    limit: ({ list }) => list(1),
    grows: true,
    ...asked('agent', 1, list),
  },
  {
    key: 'list16',
    name: 'ticket list, agent, 16 clients',
    includes: LIST,
    goal: '≥ 24 %',
    limit: ({ list }) => list(16),
    ...asked('agent', 16, list),
  },
  {
    key: 'showAll1',
    name: 'ticket list, administrator, all, 1 client',
    includes: 'the same with closed tickets and everybody’s',
    goal: 'within 1.3× of the agent’s',
    limit: ({ list }) => list(1),
    ...asked('admin', 1, () => [get('/api/tickets?showAll=true')]),
  },
  {
    key: 'deep1',
    name: 'the same, deep by cursor',
    includes: 'page 500, or as far as there are pages',
    goal: '≤ 1.3× page 1',
    limit: ({ list }) => list(1),
    ...asked('admin', 1, async (bench) => [get(`/api/tickets?showAll=true&cursor=${await deepCursor(bench)}`)]),
  },
  {
    key: 'chat1',
    name: 'open a chat, agent, 1 client',
    includes: CHAT,
    goal: '≥ 15 %',
    limit: ({ chat }) => chat(1),
    grows: true,
    ...asked('agent', 1, open),
  },
  {
    key: 'chat16',
    name: 'open a chat, agent, 16 clients',
    includes: CHAT,
    goal: '≥ 22 %',
    limit: ({ chat }) => chat(16),
    ...asked('agent', 16, open),
  },
  {
    key: 'read16',
    name: 'open a chat and mark it read, 16 clients',
    includes: 'the same, and a second request that moves the agent’s reading position',
    goal: '–',
    ...asked('agent', 16, openAndRead),
  },
  {
    key: 'search1',
    name: 'search contact/number, 1 client',
    includes: SEARCH,
    goal: 'p95 ≤ 8 ms',
    limit: ({ search }) => search(1),
    grows: true,
    ...asked('admin', 1, contacts),
  },
  {
    key: 'search16',
    name: 'search contact/number, 16 clients',
    includes: SEARCH,
    goal: '≥ 40 %',
    limit: ({ search }) => search(16),
    ...asked('admin', 16, contacts),
  },
  {
    key: 'ownField1',
    name: 'contacts by a field of the company’s own, 1 client',
    includes: 'first page of those who have one of twenty values, with tags, wallets and all their fields',
    goal: '≤ 1.3× of a tenth of the contacts',
    grows: true,
    run: ({ product, tenant }) => measureOwnField(product, tenant),
  },
  {
    key: 'board1',
    name: 'board by stage, agent, 1 client',
    includes: 'fifty cards of each of six columns with tags, live ticket and waiting, and how many each has',
    goal: '≤ 1.3× of a tenth of the contacts',
    grows: true,
    ...asked('agent', 1, () => [get('/api/contactsKanban')]),
  },
  {
    key: 'bodies1',
    name: 'search message bodies, 1 client',
    includes: BODIES,
    goal: 'p95 ≤ 50 ms',
    ...asked('admin', 1, bodies()),
  },
  {
    key: 'bodies16',
    name: 'search message bodies, 16 clients',
    includes: BODIES,
    goal: '≥ 60/s',
    ...asked('admin', 16, bodies()),
  },
  ...Object.entries(kindsOfTerms).map(([kind, terms]) => ({
    key: `search${kind}`,
    name: `search message bodies, ${kind.toLowerCase()} words, 1 client`,
    includes: `words of messages: ${terms.join(', ')}`,
    goal: 'p95 ≤ 50 ms',
    ...asked('admin', 1, bodies(terms)),
  })),
  {
    key: 'ingest1',
    name: 'ingest, 1 in flight',
    includes: INGEST,
    goal: '≥ 33 %',
    limit: ({ write }) => write(1),
    grows: true,
    run: ({ product, tenant }) => measureIngest(product.platform, tenant, 1),
  },
  {
    key: 'ingest16',
    name: 'ingest, 16 in flight',
    includes: INGEST,
    goal: '≥ 28 %',
    limit: ({ write }) => write(16),
    run: ({ product, tenant }) => measureIngest(product.platform, tenant, 16),
  },
  {
    key: 'flowSteps',
    name: 'chat flow, steps of the engine',
    includes: 'an answer, ten conditions, the next node’s message; no database',
    goal: '≥ 20,000 /s',
    run: () => measureSteps(),
  },
  {
    key: 'flowReplay',
    name: 'chat flow, recorded conversations played on a draft',
    includes: 'six answers as they were and on the draft, compared; no database',
    goal: '≥ 167 /s (10,000 in a minute)',
    run: () => measureReplay(),
  },
  {
    key: 'flowCases',
    name: 'chat flow, 100 cases of ten answers',
    includes: 'reading the draft, playing each, what they cover; no database',
    goal: 'p95 ≤ 1000 ms',
    run: () => measureCases(),
  },
  {
    key: 'distributionDecided',
    name: 'distribution of 1,000 waiting tickets to 200 people, decided',
    includes: 'who gets which, with the reasons of the others; no database',
    goal: '≤ 300 ms',
    run: () => measureDecision(),
  },
  {
    key: 'distribution',
    name: 'distribution of 1,000 waiting tickets to 200 people',
    includes: 'the whole run: counted, decided, given, logged and told; times a second',
    goal: '≤ 300 ms',
    run: ({ product, refresh }) => measureDistribution(product, refresh),
  },
  {
    key: 'assistantTurn',
    name: 'turn of an assistant, own part, 8 at once',
    includes:
      'from the customer’s word, when it is due, to the stored answer with its costs; not the call of the model',
    goal: 'p95 ≤ 60 ms',
    run: ({ product }) => measureTurns(product.platform, 8),
  },
  {
    key: 'assistantTurns',
    name: 'turns of assistants, 200 at once',
    includes: 'the same of 200 customers of a company, who take turns for its 16 places; times a second',
    goal: '≥ 20 /s',
    run: ({ product }) => measureTurns(product.platform, 200),
  },
  {
    key: 'flowAttended',
    name: 'chat flow, answered words, 100 at once',
    includes: 'a customer’s word until it is stored with session, step, event and the flow’s answer',
    goal: '≥ 500 /s',
    run: ({ product, tenant }) => measureAttended(product.platform, tenant, 100),
  },
  {
    key: 'flowFirstAnswer',
    name: 'chat flow, first answer at the channel, 50 messages/s',
    includes:
      'from the provider’s call with the first word of somebody unknown until the channel has the flow’s message',
    goal: 'p95 ≤ 50 ms',
    run: ({ product, tenant }) => measureFirstAnswer(product.platform, tenant, { perSecond: 50, seconds: 4 }),
  },
  {
    key: 'flowIngest',
    name: 'ingest beside chat flows, 16 in flight',
    includes:
      'texts in conversations that no flow is for, one in a hundred the first of its own; the limit is the same with flows switched off',
    goal: '≥ 95 %',
    run: ({ product, tenant }) => measureBeside(product.platform, tenant, 16),
  },
  {
    key: 'delay',
    name: 'delay inbound → agent’s socket, 250 msg/s',
    includes:
      'from the provider’s call to ten sockets in another thread; one message in a hundred of an unknown contact',
    goal: 'p50 ≤ 4, p99 ≤ 12 ms',
    run: ({ product, tenant }) => measureDelay(product, tenant, 250, 4),
  },
  {
    key: 'schedule',
    name: 'live message while 10,000 scheduled ones are due, 10 msg/s',
    includes: 'from the agent’s request until the channel has the message, until the last scheduled one is sent',
    goal: 'p99 ≤ 1000 ms',
    run: ({ product, tenant }) => measureSchedules(product, tenant, 10_000),
  },
  {
    key: 'bulk',
    name: 'transfer 1,000 tickets at once',
    includes: 'from the request until the last of them is changed, logged and told; taken back between the rounds',
    goal: 'p95 ≤ 5000 ms',
    run: ({ product, tenant }) => measureBulk(product, tenant, 1000),
  },
  {
    key: 'import',
    name: 'live message while 100,000 contacts are imported, 10 msg/s',
    includes: 'from the agent’s request until the channel has the message; contacts per second from upload to the last',
    goal: 'p99 ≤ 1000 ms',
    run: ({ product, tenant }) => measureImport(product, tenant, 100_000),
  },
  {
    key: 'campaign',
    name: 'campaign to 100,000 recipients, its pages one after the other',
    includes: 'recipients per second from a filter into the campaign; each page of forty of them, first and deep',
    goal: 'taken in ≤ 20 s, ≤ 50 MB more, page ≤ 200 ms, progress constant',
    run: ({ product }) => measureCampaign(product, 100_000),
  },
  {
    key: 'campaignBeside',
    name: 'live message while a campaign to 10,000 is due, 10 msg/s',
    includes:
      'from the agent’s request until the channel has the message, by the same connection; campaign messages per second',
    goal: 'p99 ≤ 1000 ms',
    run: ({ product, tenant }) => measureCampaignBeside(product, tenant, 10_000),
  },
  {
    key: 'panel',
    name: 'attendance panel of 200 people, 4 clients',
    includes: 'its columns by person and by queue, counted anew, and the tickets of each column, pending first',
    goal: 'p99 ≤ 300 ms',
    run: ({ product, tenant }) => measurePanel(product, tenant),
  },
  {
    key: 'funnelBoard',
    name: 'board of a funnel of 100,000 opportunities, 1 client',
    includes: 'twenty cards of each of six stages with contact, next task and alerts, sums, and the figures above them',
    goal: 'p95 ≤ 25 ms',
    run: funnelMeasures.board,
  },
  {
    key: 'funnelSeller',
    name: 'the same as one of twenty sellers sees it',
    includes: 'own and unassigned ones',
    goal: 'p95 ≤ 25 ms',
    run: funnelMeasures.seller,
  },
  {
    key: 'funnelDashboard',
    name: 'dashboard of a funnel of 100,000 opportunities, 1 client',
    includes: 'every split, the forecast by month and the six alerts, counted anew',
    goal: 'p95 ≤ 150 ms',
    run: funnelMeasures.dashboard,
  },
  {
    key: 'privateChat',
    name: 'open a private chat of 100,000 messages, 1 client',
    includes: 'its last page with quotes, reactions and reading positions',
    goal: 'p95 ≤ 10 ms',
    run: funnelMeasures.chat,
  },
  {
    key: 'webhook',
    name: 'webhook of Meta, 16 in flight',
    includes: 'one signed message each, answered once it is in the journal',
    goal: 'p95 ≤ 25 ms',
    run: ({ product }) => measureWebhook(product),
  },
  {
    key: 'webhookMany',
    name: 'events of Meta in bodies of 100',
    includes:
      '10,000 messages of 200 contacts, until the last one is processed: events per second; delays are of a body',
    goal: '≥ 1,000 /s',
    run: ({ product }) => measureWebhookBodies(product),
  },
  {
    key: 'webhookScreen',
    name: 'message of Meta, from its call to an agent’s socket',
    includes: 'the signed call, journal, processing, the feed and the event, one after the other',
    goal: 'p95 ≤ 60 ms',
    run: ({ product }) => measureWebhookToScreen(product),
  },
  {
    key: 'reportsHome',
    name: 'dashboard of 14 days in a company of 1,000,000 tickets, 1 client',
    includes: 'the live figures and every panel, one request after the other; past days are stored',
    goal: 'p95 ≤ 150 ms',
    run: ({ product }) => measureHome(product),
  },
  {
    key: 'reportsPage',
    name: 'report of tickets in a company of 1,000,000, a page, 1 client',
    includes: 'the tickets of 14 days: the first page with its count, and the next one',
    goal: 'p95 ≤ 50 ms',
    run: ({ product }) => measureReportPage(product),
  },
  {
    key: 'reportsXlsx',
    name: '100,000 tickets to XLSX',
    includes: 'from the request until its last byte: rows per second',
    goal: '≥ 3,334 /s',
    run: ({ product }) => measureExport(product),
  },
]
