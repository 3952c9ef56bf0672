import { expect, test } from 'vitest'
import type { Link } from '../port.ts'
import { openKeys } from './keys.ts'
import { loadLibrary } from './library.ts'

test('what was not stored is said before anything that waits for it goes on', async () => {
  const steps: string[] = []
  const link: Pick<Link, 'emit' | 'state'> = {
    emit: () => Promise.reject(new Error('another process has it')),
    state: { get: async () => new Map(), clear: async () => {} },
  }
  const keys = await openKeys(await loadLibrary(), link as Link)
  keys.onLost(() => void steps.push('lost'))
  const stepped = keys.inOneCommit(async () => keys.signal.set({ session: { 'contact.0': new Uint8Array([1]) } }))
  await stepped.catch(() => void steps.push('refused'))
  expect(steps).toEqual(['lost', 'refused'])
})

test('nor does anything go on where keys cannot be read: what came would be refused for good', async () => {
  const steps: string[] = []
  let isAway = false
  const link: Pick<Link, 'emit' | 'state'> = {
    emit: async () => {},
    state: {
      async get() {
        if (isAway) throw new Error('the database is away')
        return new Map()
      },
      clear: async () => {},
    },
  }
  const keys = await openKeys(await loadLibrary(), link as Link)
  keys.onLost(() => void steps.push('lost'))
  isAway = true
  const read = async () => keys.store.get('lid-mapping', ['5511988880101'])
  await read().catch(() => void steps.push('refused'))
  expect(steps).toEqual(['lost', 'refused'])
})
