import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

const tutorials = [
  [
    'Primeiros passos no atendimento',
    'Assumir, responder, transferir e resolver.',
    'https://exemplo.com.br/primeiros-passos',
  ],
  [
    'Mensagens rápidas e variáveis',
    'Textos prontos que já saem com o nome do cliente.',
    'https://exemplo.com.br/mensagens',
  ],
  ['Trocas e devoluções', 'O que perguntar antes de abrir uma troca.', 'https://exemplo.com.br/trocas'],
] as const

/** Tutorials of the company for its people. */
export const part: DemoPart = {
  async seed({ platform, db, tenantId }) {
    const m = make(platform, db)
    const times = { created_at: platform.now(), updated_at: platform.now() }
    for (const [index, [title, description, link]] of tutorials.entries())
      await m.insert('tutorials', tenantId, { title, description, link, position: index + 1, ...times })
  },
}
