import { lojaDemo } from './loja-demo.ts'
import { outraLoja } from './outra-loja.ts'
import type { Demo } from './types.ts'

/** Contents of the demo: two tenants, their people and conversations; data only. */
export const demo: Demo = { password: 'Demo!2026', tenants: [lojaDemo, outraLoja] }
