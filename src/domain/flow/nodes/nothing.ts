import { memberOf } from '../../present.ts'
import { explain } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    /** What this product cannot do, or does not know. */
    nothing: { readonly isKnown: boolean }
  }
}

/** What documents may have and this product cannot do yet: nothing at present. */
export const UNAVAILABLE: Readonly<Record<string, { readonly label: string }>> = {}

/** Is passed over, and survives. */
export const nothing: NodeKind<'nothing'> = {
  types: {},
  read: (_, type) => ({ isKnown: Object.hasOwn(UNAVAILABLE, type) }),
  perform(run, { type }) {
    const label = Object.hasOwn(UNAVAILABLE, type) ? memberOf(UNAVAILABLE, type).label : type
    explain(run, `“${label}” não está disponível e foi pulado.`)
  },
}
