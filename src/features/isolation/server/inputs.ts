import { z } from 'zod'
import { itemAt } from '#domain/present.ts'
import type { Operation } from '#kit/contract.ts'
import type { Witnesses } from './witnesses.ts'

type Given = { params: unknown; query: unknown }
type Field = { type?: string; format?: string; anyOf?: Field[]; items?: Field }

const fieldsOf = (type: z.ZodType | undefined): Record<string, Field> =>
  type
    ? ((z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, Field> })
        .properties ?? {})
    : {}

/** Returns values for a field that identify rows of another company, by the field's type. */
function namesFor(field: Field, witnesses: Witnesses): readonly unknown[] {
  const { ids, uuids, texts } = witnesses
  if (field.anyOf) return field.anyOf.flatMap((one) => namesFor(one, witnesses))
  if (field.type === 'array') return [namesFor(field.items ?? {}, witnesses)]
  if (field.format === 'uuid') return uuids
  if (field.type === 'integer' || field.type === 'number') return ids
  return field.type === 'string' || field.type === undefined
    ? [...texts.keys()].filter((text) => /^\d{10,}$/.test(text)).slice(0, 3)
    : []
}

/** Yields the requests with which a read operation can be called for another company's rows, validated as for handlers. */
export function* requestsTo(op: Operation, theirs: Witnesses): Generator<Given> {
  const check = (params: object, query: object): Given | null => {
    const read = { params: op.params?.safeParse(params), query: op.query?.safeParse(query) }
    if (read.params?.success === false || read.query?.success === false) return null
    return { params: read.params?.data, query: read.query?.data }
  }
  const addresses = addressesOf(op, theirs)
  for (const params of addresses) {
    const given = check(params, {})
    if (given) yield given
  }
  const [address = {}] = addresses
  for (const [name, field] of Object.entries(fieldsOf(op.query))) {
    const values = name === 'searchParam' ? theirs.terms : namesFor(field, theirs).slice(0, 8)
    for (const value of values) {
      const given = check(address, { [name]: value })
      if (given) yield given
    }
  }
}

// One path for each row of the other company; a path without parameters occurs once.
function addressesOf(op: Operation, theirs: Witnesses): Record<string, unknown>[] {
  const names = [...op.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (names.length === 0) return [{}]
  const fields = fieldsOf(op.params)
  const choices = names.map((name) => namesFor(fields[name] ?? {}, theirs))
  const most = Math.max(...choices.map((values) => values.length))
  return Array.from({ length: most }, (_, n) =>
    Object.fromEntries(names.map((name, index) => [name, itemAt(choices, index)[n % itemAt(choices, index).length]])),
  )
}
