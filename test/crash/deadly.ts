import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { type Hooks, registerHooks } from '#features/ledger/server/hooks/hooks.ts'
import type { Feature } from '#server/feature.ts'
import { job } from '#server/job.ts'

/** Ways to end a process; `harmless` does not end it. */
const DEEDS = {
  exit: () => process.exit(1),
  loop: () => {
    for (;;);
  },
  memory: () => {
    const held: object[][] = []
    for (;;) held.push(Array.from({ length: 1000 }, () => ({})))
  },
  throw: () =>
    setImmediate(() => {
      throw new Error('nobody catches this')
    }),
  harmless: () => {},
}
export type Deed = keyof typeof DEEDS

/** The text of a customer that has such a deed done. */
export const deadlyText = (deed: Deed): string => `deed: ${deed}`

/** Jobs that do such a deed. */
export const deadlyFeature: Feature = {
  name: 'deadly',
  jobs: [
    job({
      name: 'test:deed',
      schema: z.object({ deed: z.string() }),
      async run(_, { deed }) {
        await setTimeout(20)
        DEEDS[deed as Deed]()
      },
    }),
  ],
}

/** Makes customers' texts end the process, within the transaction that ingests them. */
export function obeyDeadlyTexts(): void {
  const usual = registerHooks({} as Hooks)
  const obey: Hooks['onArrival'][number] = {
    name: 'test:deed',
    async run(_, batch) {
      for (const { text } of batch) {
        const deed = /^deed: (\w+)$/.exec(text ?? '')?.[1]
        if (deed) DEEDS[deed as Deed]()
      }
      return {}
    },
  }
  registerHooks({ ...usual, onArrival: [obey, ...usual.onArrival] })
}
