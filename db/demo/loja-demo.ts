import { confeitariaContacts } from './contacts/confeitaria-contacts.ts'
import { moveisContacts } from './contacts/moveis-contacts.ts'
import { odontoContacts } from './contacts/odonto-contacts.ts'
import { oficinaContacts } from './contacts/oficina-contacts.ts'
import { provedorContacts } from './contacts/provedor-contacts.ts'
import { vetContacts } from './contacts/vet-contacts.ts'
import { confeitaria1 } from './conversations/confeitaria-1.ts'
import { confeitaria2 } from './conversations/confeitaria-2.ts'
import { moveis1 } from './conversations/moveis-1.ts'
import { moveis2 } from './conversations/moveis-2.ts'
import { moveis3 } from './conversations/moveis-3.ts'
import { odonto1 } from './conversations/odonto-1.ts'
import { odonto2 } from './conversations/odonto-2.ts'
import { oficina1 } from './conversations/oficina-1.ts'
import { oficina2 } from './conversations/oficina-2.ts'
import { provedor1 } from './conversations/provedor-1.ts'
import { provedor2 } from './conversations/provedor-2.ts'
import { vet } from './conversations/vet.ts'
import { quickReplies } from './quick-replies.ts'
import { confeitariaShort1 } from './short/confeitaria-short-1.ts'
import { confeitariaShort2 } from './short/confeitaria-short-2.ts'
import { moveisShort1 } from './short/moveis-short-1.ts'
import { moveisShort2 } from './short/moveis-short-2.ts'
import { odontoShort1 } from './short/odonto-short-1.ts'
import { odontoShort2 } from './short/odonto-short-2.ts'
import { oficinaShort1 } from './short/oficina-short-1.ts'
import { oficinaShort2 } from './short/oficina-short-2.ts'
import { provedorShort1 } from './short/provedor-short-1.ts'
import { provedorShort2 } from './short/provedor-short-2.ts'
import { vetShort1 } from './short/vet-short-1.ts'
import { vetShort2 } from './short/vet-short-2.ts'
import type { DemoTenant } from './types.ts'

/** First tenant: a group with six businesses on one account, its team, and its conversations. */
export const lojaDemo: DemoTenant = {
  name: 'Loja Demo',
  trades: {
    moveis: 'Móveis Pau-Marfim',
    odonto: 'Odonto Vila Clara',
    vet: 'Vet Bem-te-vi',
    provedor: 'Fibra Serrana',
    confeitaria: 'Alecrim & Nata',
    oficina: 'Três Irmãos',
  },
  staff: [
    { email: 'superadmin@demo.test', name: 'Helena Prado', profile: 'superadmin', queues: [] },
    { email: 'admin@demo.test', name: 'Rafael Antunes', profile: 'admin', queues: ['Corporativo', 'Financeiro'] },
    {
      email: 'supervisor@demo.test',
      name: 'Marta Sanches',
      profile: 'super',
      queues: ['Vendas', 'Entregas', 'Assistência', 'Financeiro', 'Corporativo', 'Agenda'],
    },
    {
      email: 'ana@demo.test',
      name: 'Ana Lemos',
      profile: 'user',
      queues: ['Vendas', 'Entregas', 'Assistência', 'Financeiro', 'Agenda'],
    },
    {
      email: 'bia@demo.test',
      name: 'Bia Teles',
      profile: 'user',
      queues: ['Vendas', 'Entregas', 'Assistência', 'Financeiro', 'Agenda'],
    },
  ],
  queues: [
    { name: 'Vendas', color: '#2f7d4f' },
    { name: 'Entregas', color: '#2b6cb0' },
    { name: 'Assistência', color: '#b7791f' },
    { name: 'Financeiro', color: '#9b2c2c' },
    { name: 'Corporativo', color: '#0f766e' },
    { name: 'Agenda', color: '#6b46c1' },
  ],
  tags: [
    { name: 'Bloqueio', color: '#c2410c' },
    { name: 'Boleto', color: '#a16207' },
    { name: 'Casamento', color: '#db2777' },
    { name: 'Cliente ouro', color: '#b8860b' },
    { name: 'CNPJ', color: '#0e7490' },
    { name: 'Condomínio', color: '#4d7c0f' },
    { name: 'Contrato', color: '#1d4ed8' },
    { name: 'Convênio', color: '#7c3aed' },
    { name: 'Criança', color: '#ea580c' },
    { name: 'Decoração', color: '#be185d' },
    { name: 'Diagnóstico', color: '#475569' },
    { name: 'Encomenda', color: '#c026d3' },
    { name: 'Estética', color: '#e11d48' },
    { name: 'Estorno', color: '#b91c1c' },
    { name: 'Evento', color: '#9333ea' },
    { name: 'Exames', color: '#0891b2' },
    { name: 'Frota', color: '#334155' },
    { name: 'Funilaria', color: '#9f1239' },
    { name: 'Garantia', color: '#15803d' },
    { name: 'Idoso', color: '#0d9488' },
    { name: 'Implante', color: '#4338ca' },
    { name: 'Montagem', color: '#92400e' },
    { name: 'Mudança', color: '#65a30d' },
    { name: 'Orçamento', color: '#2563eb' },
    { name: 'Prioridade', color: '#dc2626' },
    { name: 'Pós-operatório', color: '#0284c7' },
    { name: 'Reclamação', color: '#991b1b' },
    { name: 'Remarcação', color: '#7e22ce' },
    { name: 'Restrição alimentar', color: '#16a34a' },
    { name: 'Retenção', color: '#d97706' },
    { name: 'Seguro', color: '#1e40af' },
    { name: 'Sem sinal', color: '#ef4444' },
    { name: 'Sinal pago', color: '#059669' },
    { name: 'Troca', color: '#ca8a04' },
    { name: 'Urgência', color: '#e53e3e' },
    { name: 'Vacina', color: '#22a06b' },
    { name: 'Velocidade', color: '#5b21b6' },
    { name: 'Visita', color: '#3b7a8c' },
  ],
  quickReplies,
  contacts: [
    ...confeitariaContacts,
    ...moveisContacts,
    ...odontoContacts,
    ...oficinaContacts,
    ...provedorContacts,
    ...vetContacts,
  ],
  conversations: [
    ...confeitaria1,
    ...confeitaria2,
    ...moveis1,
    ...moveis2,
    ...moveis3,
    ...odonto1,
    ...odonto2,
    ...oficina1,
    ...oficina2,
    ...provedor1,
    ...provedor2,
    ...vet,
    ...moveisShort1,
    ...moveisShort2,
    ...odontoShort1,
    ...odontoShort2,
    ...vetShort1,
    ...vetShort2,
    ...provedorShort1,
    ...provedorShort2,
    ...confeitariaShort1,
    ...confeitariaShort2,
    ...oficinaShort1,
    ...oficinaShort2,
  ],
}
