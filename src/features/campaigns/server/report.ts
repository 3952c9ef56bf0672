import { clockTextIn } from '#domain/calendar/local-time.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { reading } from '#server/context.ts'
import type { Download } from '#server/http/download.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { tableFile } from '#server/sheet.ts'
import { listItems } from './queries-items.ts'
import { serializeItems, stateText } from './stored.ts'

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

/** Sends the recipients of a dispatch and what became of them as a file, while it is made; given up after five minutes. */
export async function reportOf(
  ctx: SlowCtx,
  { id, name, format }: { readonly id: number; readonly name: string; readonly format: 'csv' | 'xlsx' },
): Promise<Download> {
  const signal = AbortSignal.timeout(LONGEST_MS)
  const zone = await reading(ctx.platform, ctx, async ({ settings }) => settings.timezone)
  const which = { dispatchId: id, states: null, replied: false, optedOut: false, clicked: false, contactIds: null }
  async function* rows() {
    yield HEADER
    // A reader for each page: who takes long to read what is sent holds no client.
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
          ...[one.name, formatPhone(one.number ?? ''), `Mensagem ${one.message}`, stateText(one.state), one.reason],
          ...[one.sentAt, one.stateAt, one.repliedAt, one.optedOutAt, one.clickedAt].map((at) => wallText(at, zone)),
        ]
      after = [page.at(-1)?.id ?? 0]
      more = page.length > 0
    }
  }
  const file = `campanha-${id}-${name.replace(/[^\p{L}\d]+/gu, '-').slice(0, 40)}`
  return tableFile(format, { name: file, sheet: 'Campanha' }, rows())
}

const wallText = (at: Date | string | null, zone: string): string =>
  at === null ? '' : clockTextIn(zone, new Date(at).getTime())
