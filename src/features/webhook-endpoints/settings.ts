import type { SettingPart } from '#kit/settings.ts'

const group = null
const can = 'webhooks:write'
const notice = (label: string, effect: string) =>
  ({ kind: 'switch', default: 'disabled', label, effect, group, can, under: 'webhook' }) as const

const problem = (text: string): string | null =>
  text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    ? null
    : 'Informe um endereço que começa com https:// ou http://.'

/** Settings of the single legacy endpoint (product facts 8.4). */
export const settings = {
  webhook: {
    ...{ kind: 'switch', default: 'disabled', label: 'Webhook das configurações', group, can },
    effect: 'Liga o webhook que estas configurações descrevem; desligado, nenhum dos avisos abaixo é enviado.',
  },
  webhookUrl: {
    ...{ kind: 'text', max: 2000, default: '', label: 'Endereço do webhook', group, can, under: 'webhook', problem },
    effect: 'Para onde os avisos são enviados.',
  },
  webhookMessage: notice('Receber mensagens e atendimentos', 'Envia cada mensagem e o que muda nos atendimentos.'),
  webhookCreateChannel: notice('Criar canal', 'Avisa quando um canal é criado.'),
  webhookUpdateChannel: notice('Alterar canal', 'Avisa quando um canal muda ou é excluído.'),
  webhookCreateUser: notice('Criar usuário ou contato', 'Avisa quando um usuário ou contato é criado.'),
  webhookUpdateUser: notice('Alterar usuário ou contato', 'Avisa quando um usuário ou contato muda ou é excluído.'),
  webhookCreateApi: notice('Criar chave da API', 'Avisa quando uma chave da API é criada.'),
  webhookUpdateApi: notice('Alterar chave da API', 'Avisa quando uma chave da API muda ou é excluída.'),
  webhookRenewApi: notice('Renovar token da API', 'Avisa quando o token de uma chave da API é renovado.'),
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    webhookEndpoints: typeof settings
  }
}
