import { clockTextIn } from '#domain/calendar/local-time.ts'
import { ITEM_STATE_NAMES } from '#domain/campaigns/states.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { reading } from '#server/context.ts'
import type { Download } from '#server/http/download.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { tableFile } from '#server/sheet.ts'
import type { DispatchRecord } from './queries.ts'
import { listItems } from './queries-items.ts'
import { tablePdf } from './report-pdf.ts'
import { serializeItems } from './stored.ts'

const PAGE = 500
const LONGEST_MS = 300_000
const HEADER = [
  'Nome',
  'Número',
  'Mensagem',
  'Status',
  'Motivo',
  'Enviada em',
  'Situação em',
  'Respondeu em',
  'Pediu para sair em',
  'Abriu um link em',
]

/** First columns of the report, with their share of the page's width. */
const ON_PAPER = [0.25, 0.17, 0.1, 0.12, 0.21, 0.15].map((share, at) => ({ title: HEADER[at]!, share }))

/** Streams the recipients of a dispatch with their results as a file while it is created; aborted after five minutes. */
export async function reportOf(
  ctx: SlowCtx,
  dispatch: DispatchRecord,
  format: 'csv' | 'xlsx' | 'pdf',
): Promise<Download> {
  const { id, name } = dispatch
  const signal = AbortSignal.timeout(LONGEST_MS)
  const zone = await reading(ctx.platform, ctx, async ({ settings }) => settings.timezone)
  const which = {
    dispatchId: id,
    states: null,
    replied: false,
    optedOut: false,
    clicked: false,
    variant: null,
    contactIds: null,
  }
  async function* rows() {
    // A client per page, so that a slow download holds none.
    for (let after: readonly [number] | null = null, more = true; more; ) {
      signal.throwIfAborted()
      const start: { after: readonly [number] | null; offset: number; limit: number } = {
        after,
        offset: 0,
        limit: PAGE,
      }
      const page = await reading(ctx.platform, ctx, async (inner) =>
        serializeItems(inner, await listItems(inner.db, which, start)),
      )
      for (const one of page)
        yield [
          ...[
            one.name,
            formatPhone(one.number ?? ''),
            `Mensagem ${one.message}`,
            ITEM_STATE_NAMES[one.state],
            one.reason,
          ],
          ...[one.sentAt, one.stateAt, one.repliedAt, one.optedOutAt, one.clickedAt].map((at) => wallText(at, zone)),
        ]
      after = [page.at(-1)?.id ?? 0]
      more = page.length > 0
    }
  }
  const file = `campanha-${id}-${name.replace(/[^\p{L}\d]+/gu, '-').slice(0, 40)}`
  if (format === 'pdf')
    return {
      ...{ name: `${file}.pdf`, contentType: 'application/pdf' },
      stream: await tablePdf(
        { title: name, facts: factsOf(dispatch, zone, ctx.platform.now()), columns: ON_PAPER, now: ctx.platform.now() },
        rows(),
      ),
    }
  async function* withHeader() {
    yield HEADER
    yield* rows()
  }
  return tableFile(format, { name: file, sheet: 'Campanha' }, withHeader())
}

/** Returns the figures above the rows of a PDF report. */
function factsOf({ counts, connectionName, startAt }: DispatchRecord, zone: string, now: Date): string[] {
  const { waiting = 0, queued = 0, sent = 0, delivered = 0, read = 0, failed = 0, uncertain = 0, skipped = 0 } = counts
  const total = waiting + queued + sent + delivered + read + failed + uncertain + skipped
  const figures = [
    ...[`Total: ${total}`, `disparadas: ${sent + delivered + read}`, `lidas: ${read}`],
    ...[`pendentes: ${waiting + queued}`, `falhas: ${failed + uncertain}`, `não enviadas: ${skipped}`],
    ...[`responderam: ${counts.replied ?? 0}`, `pediram para sair: ${counts.optedOut ?? 0}`],
    `abriram o link: ${counts.clicked ?? 0}`,
  ]
  return [
    `Início: ${wallText(startAt, zone)} · enviada por ${connectionName ?? 'canal removido'}`,
    figures.join(' · '),
    `Gerado em ${wallText(now, zone)}`,
  ]
}

const wallText = (at: Date | string | null, zone: string): string =>
  at === null ? '' : clockTextIn(zone, new Date(at).getTime())
