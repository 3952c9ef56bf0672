import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

const constants = [
  ['site', 'www.lojademo.com.br'],
  ['endereco', 'Rua das Palmeiras, 120 – Centro'],
  ['horario', 'de segunda a sexta, das 8h às 18h'],
] as const

/** Constants of the company, and quick replies with them and with fields of its contacts. */
export const part: DemoPart = {
  after: ['catalog', 'contact-fields'],
  async seed({ platform, db, tenantId }) {
    const m = make(platform, db)
    const now = platform.now()
    for (const [name, value] of constants)
      await m.insert('template_constants', tenantId, { name, value, created_at: now, updated_at: now })
    const replies = [
      ['onde', 'Onde estamos', 'Estamos na {{endereco}}, {{horario}}. Tudo também em {{site}}.'],
      ['limite', 'Limite de crédito', '{{firstName}}, seu limite hoje é de R$ {{campo.limite_de_credito|a combinar}}.'],
    ] as const
    for (const [key, title, message] of replies) await m.insert('fast_replies', tenantId, { key, title, message })
  },
}
