import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { flag, numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'
import type { Payment } from '../port.ts'

/** Schema of a page of a list; `hasMore`: there is a next page. */
export const listed = record({ hasMore: flag, data: z.array(z.unknown()) })

const item = record({ id: text, status: text, deleted: flag, externalReference: text, url: text })
const payment = record({
  ...{ id: text, status: text, deleted: flag, dueDate: text, value: numberOrText },
  ...{ paymentDate: text, clientPaymentDate: text, confirmedDate: text, bankSlipUrl: text, invoiceUrl: text },
})
const refusal = record({ errors: z.array(record({ code: text, description: text })) })
const party = z.union([z.string(), record({ id: text }).transform(({ id }) => id)])
const event = record({
  payment: record({ customer: party }),
  subscription: record({ customer: party }),
})

/** Parses a record of a list; null for anything else, and for deleted ones. */
export function readItem(given: unknown) {
  const found = readOutside(item, given)?.data
  return found?.id && found.deleted !== true ? { ...found, id: found.id } : null
}

// Payments write AAAA-MM-DD, subscriptions DD/MM/AAAA; both may append a time.
function dayOf(given: string | undefined): string | null {
  const [, iso, brazilian] = /^(?:(\d{4}-\d{2}-\d{2})|(\d{2}\/\d{2}\/\d{4}))(?!\d)/.exec(given ?? '') ?? []
  const day = iso ?? brazilian?.split('/').reverse().join('-')
  return day && z.iso.date().safeParse(day).success ? day : null
}

// An address is opened by a click: no other scheme may come through.
const linkOf = (given: string | undefined): string | null =>
  given && URL.canParse(given) && new URL(given).protocol === 'https:' ? given.slice(0, 2000) : null

const MOST = 999_999_999_999

/** Parses a payment; null without id, status or due date, and for deleted ones. */
export function readPayment(given: unknown): Payment | null {
  const found = readOutside(payment, given)?.data
  const dueDate = dayOf(found?.dueDate)
  if (!found?.id || !found.status || !dueDate || found.deleted === true) return null
  return {
    id: found.id.slice(0, 100),
    status: found.status.slice(0, 60),
    dueDate,
    value: Math.min(Math.max(found.value ?? 0, 0), MOST),
    paidAt: dayOf(found.clientPaymentDate) ?? dayOf(found.paymentDate) ?? dayOf(found.confirmedDate),
    bankSlipUrl: linkOf(found.bankSlipUrl),
    invoiceUrl: linkOf(found.invoiceUrl),
  }
}

/** Returns Asaas' own sentences on a refused call, which are in Portuguese; '' without any. */
export const refusalOf = (given: unknown): string =>
  (readOutside(refusal, given)?.data.errors ?? [])
    .flatMap(({ description }) => description ?? [])
    .join(' ')
    .slice(0, 500)

/** Returns the customer that an event of the webhook is about; null if it names none. */
export function customerOf(given: unknown): string | null {
  const found = readOutside(event, given)?.data
  return found?.payment?.customer ?? found?.subscription?.customer ?? null
}
