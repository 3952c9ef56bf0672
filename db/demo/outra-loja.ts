import { outraContacts } from './contacts/outra-contacts.ts'
import { outra } from './conversations/outra.ts'
import type { DemoTenant } from './types.ts'

/** Second tenant: an estate agency with one person, isolated from the first. */
export const outraLoja: DemoTenant = {
  name: 'Outra Loja',
  trades: { imobiliaria: 'Imobiliária Barra da Lagoa' },
  staff: [
    {
      email: 'admin@outra.test',
      name: 'Cláudio Bastos',
      profile: 'admin',
      queues: ['Comercial', 'Atendimento'],
    },
  ],
  queues: [
    { name: 'Comercial', color: '#22664d' },
    { name: 'Atendimento', color: '#8a5a12' },
  ],
  tags: [
    { name: 'Documentos', color: '#2563eb' },
    { name: 'Negociação', color: '#b45309' },
    { name: 'Prioridade', color: '#dc2626' },
    { name: 'Reparo', color: '#0f766e' },
    { name: 'Repasse', color: '#7c3aed' },
    { name: 'Visita', color: '#15803d' },
  ],
  quickReplies: [
    { key: 'oi', title: 'Abertura', message: '{{greeting}}, {{firstName}}! Aqui é o {{user}}. Como posso ajudar?' },
    {
      key: 'visita',
      title: 'Marcar visita',
      message: '{{firstName}}, tenho visita de segunda a sábado, das 9h às 18h. Qual dia e período ficam melhores?',
    },
    {
      key: 'docs',
      title: 'Documentos da locação',
      message:
        'Para a análise preciso de documento com foto, CPF e os três últimos comprovantes de renda. Protocolo {{protocol}}.',
    },
  ],
  contacts: outraContacts,
  conversations: outra,
}
