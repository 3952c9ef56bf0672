import { present } from '#domain/present.ts'
import { type Asking, askedOf, readPage } from './view.ts'

/** Returns visible open opportunities with a closing forecast within some days (`YYYY-MM-DD`), earliest first. */
export async function forecastsOn(
  ctx: Asking,
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
) {
  const asked = await askedOf(ctx, { status: ['open'], forecastFrom: from, forecastTo: to })
  const { cards } = await readPage(ctx, asked, 'fechamento', { after: null, offset: 0, limit })
  return cards.map(({ id, name, value, closingForecast, contact }) => ({
    ...{ id, name, value, contactName: contact.name, day: present(closingForecast) },
  }))
}
