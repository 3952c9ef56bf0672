import { z } from 'zod/v4'
import { provideZod } from './deferred.ts'

/** The parts of zod that contracts use; each one weighs, so a part that none uses is not here. */
const parts = {
  array: z.array,
  boolean: z.boolean,
  coerce: { number: z.coerce.number },
  email: z.email,
  enum: z.enum,
  iso: { date: z.iso.date, datetime: z.iso.datetime },
  literal: z.literal,
  looseObject: z.looseObject,
  null: z.null,
  number: z.number,
  object: z.object,
  preprocess: z.preprocess,
  record: z.record,
  strictObject: z.strictObject,
  string: z.string,
  union: z.union,
  unknown: z.unknown,
  url: z.url,
  uuid: z.uuid,
}

provideZod(parts)
