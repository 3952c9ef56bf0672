import { lojaDemo } from './loja-demo.ts'
import { outraLoja } from './outra-loja.ts'
import type { Demo } from './types.ts'

/** Everything that a demonstration starts with: two tenants, their people, and what was said; data only. */
export const demo: Demo = { password: 'Demo!2026', tenants: [lojaDemo, outraLoja] }
