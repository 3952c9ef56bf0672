import { memberOf } from '../../present.ts'
import { explain } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    /** Interaction that the product does not support or know. */
    nothing: { readonly isKnown: boolean }
  }
}

/** Types of the document format that the product does not support yet: none at present. */
export const UNAVAILABLE: Readonly<Record<string, { readonly label: string }>> = {}

/** Skips an unsupported interaction; documents keep it. */
export const nothing: NodeKind<'nothing'> = {
  types: {},
  read: (_, type) => ({ isKnown: Object.hasOwn(UNAVAILABLE, type) }),
  perform(run, { type }) {
    const label = Object.hasOwn(UNAVAILABLE, type) ? memberOf(UNAVAILABLE, type).label : type
    explain(run, `“${label}” não está disponível e foi pulado.`)
  },
}
