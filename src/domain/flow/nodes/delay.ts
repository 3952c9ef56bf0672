import { numberOf } from '../json.ts'
import { setTimer, update } from '../run.ts'
import { within } from './fields.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    delay: { readonly ms: number }
  }
}

const MOST_DELAY_SECONDS = 24 * 3600

/** Waits. */
export const delay: NodeKind<'delay'> = {
  types: {
    DelayField: {
      label: 'Atraso',
      form: [{ key: 'time', kind: 'number', label: 'Segundos', min: 0, max: 86_400, usual: 0 }],
    },
  },
  read: (fields) => ({ ms: within(numberOf(fields['time']) ?? 0, 0, MOST_DELAY_SECONDS) * 1000 }),
  perform(run, { ms }) {
    if (ms <= 0) return
    const id = setTimer(run, 'delay', run.at + ms)
    update(run, { waiting: { for: 'delay', id } })
  },
}
