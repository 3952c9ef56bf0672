import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.mock('zod', () => import('./deferred.ts'))

// As the browser's build reads them.
const contracts = import.meta.glob<Record<string, unknown>>(['../../features/*/*.ts', '!**/*.test.ts'])
let z: typeof import('zod').z
let madeOf: typeof import('./deferred.ts').madeOf

// Files share their modules: what others have read came with the real zod, and what is read here is only written down.
beforeAll(async () => {
  vi.resetModules()
  const deferred = await import('./deferred.ts')
  z = deferred.z as typeof z
  madeOf = deferred.madeOf
})
afterAll(() => void vi.resetModules())

describe('before zod is there', () => {
  test('schemas are written down, and whoever parses or reads them is told what is missing', () => {
    const form = z.object({ name: z.string().min(1) }).partial()
    expect(() => form.safeParse({})).toThrow('src/web/zod/now.ts')
    expect(() => ({ ...form.shape })).toThrow('cannot be read')
    expect(() => [...z.enum(['a']).options]).toThrow('cannot be read')
  })
})

describe('with zod', () => {
  beforeEach(() => import('./now.ts'))

  test('a schema parses, refuses and transforms as the real one does', () => {
    const day = (value: string) => z.iso.date().safeParse(value).success
    const form = z
      .strictObject({
        name: z.string('Preencha.').trim().min(1, 'Curto.'),
        born: z.string().refine(day, 'Que dia?'),
        tags: z.array(z.union([z.string(), z.coerce.number()])).default([]),
      })
      .required({ name: true })
    expect(form.safeParse({ name: ' Ana ', born: '1990-03-14' })).toEqual({
      success: true,
      data: { name: 'Ana', born: '1990-03-14', tags: [] },
    })
    const refused = form.safeParse({ name: ' ', born: '1990-02-30' })
    expect(refused.error?.issues.map(({ message }) => message)).toEqual(['Curto.', 'Que dia?'])
  })

  test.each(Object.entries(contracts))('every schema of %s can be made in the browser', async (_path, load) => {
    for (const schema of schemasOf(await load())) {
      expect((madeOf(schema) as { safeParse: (value: unknown) => unknown }).safeParse({})).toHaveProperty('success')
    }
  })

  test('a part of zod that is not handed over is named', () => {
    expect(() => z.bigint().parse(1n)).toThrow('zod.bigint is not among the parts')
  })
})

/** What a contract's exports hold: schemas themselves, those of operations, and those of a plain table. */
function schemasOf(value: unknown): unknown[] {
  if (madeIsOther(value)) return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(schemasOf)
}

const madeIsOther = (value: unknown) => typeof value === 'function' && madeOf(value) !== value
