import type { ProviderField } from '#kit/provider.ts'
import { type ChannelConfig, noCapabilities } from '../config.ts'

/** SMS providers by their name in the settings; `http`: any other that takes one call per message. */
export const SMS_PROVIDERS = {
  comtele: 'Comtele',
  smsdev: 'SMSDev',
  zenvia: 'Zenvia',
  twilio: 'Twilio',
  infobip: 'Infobip',
  http: 'Outro, por HTTP (Conecta, BHI…)',
} as const
export type SmsProviderId = keyof typeof SMS_PROVIDERS

const URLS: Readonly<Record<SmsProviderId, string>> = {
  comtele: 'https://sms.comtele.com.br',
  smsdev: 'https://api.smsdev.com.br',
  zenvia: 'https://api.zenvia.com',
  twilio: 'https://api.twilio.com',
  infobip: 'https://api.infobip.com',
  http: 'https://',
}

const onlyFor = (...is: SmsProviderId[]) => ({ of: 'provider', is })
const path = (label: string, hint: string): ProviderField => ({
  ...{ kind: 'text', label, hint, max: 200, onlyFor: onlyFor('http') },
})

/** Config of text messages to mobile numbers, by the company's own provider. */
export const smsConfig = {
  id: 'sms',
  types: [{ type: 'sms', name: 'SMS' }],
  look: { icon: 'sms', color: 'grey' },
  isPersistent: true,
  webhook: { isRegistered: true },
  about: {
    does: 'Mensagens de texto por um provedor como Twilio, Zenvia ou Comtele.',
    asks: 'Uma conta no provedor e a chave dela.',
    takes: '10 minutos',
    isOfficial: true,
  },
  fields: {
    from: {
      kind: 'text',
      label: 'Remetente',
      hint: 'O número, código curto ou serviço pelo qual o provedor envia; em branco onde ele escolhe.',
      max: 60,
    },
    isPlain: {
      kind: 'boolean',
      label: 'Tirar acentos ao enviar',
      hint: 'Sem acentos cabem 160 caracteres em cada SMS; com eles, 70.',
    },
  },
  settings: {
    name: 'SMS',
    fields: {
      provider: { kind: 'choice', label: 'Provedor', required: true, options: SMS_PROVIDERS, default: 'comtele' },
      url: {
        kind: 'url',
        label: 'URL da API',
        required: true,
        default: URLS.comtele,
        usual: { of: 'provider', is: URLS },
      },
      account: { kind: 'text', label: 'Account SID', max: 64, onlyFor: onlyFor('twilio') },
      key: { kind: 'secret', label: 'Chave', required: true, hint: 'A chave, o token ou o “Auth Token” da conta.' },
      method: {
        kind: 'choice',
        label: 'Método',
        options: { POST: 'POST', GET: 'GET' },
        default: 'POST',
        onlyFor: onlyFor('http'),
      },
      headers: {
        kind: 'longtext',
        label: 'Cabeçalhos',
        hint: 'Um em cada linha, como “Authorization: Bearer {key}”; {key} é a chave acima.',
        max: 2000,
        onlyFor: onlyFor('http'),
      },
      body: {
        kind: 'longtext',
        label: 'Corpo',
        hint: 'JSON ou formulário com {to}, {text}, {id}, {from} e {key}; no endereço valem os mesmos, menos a chave.',
        max: 4000,
        onlyFor: onlyFor('http'),
      },
      idAt: path(
        'Onde fica o id na resposta',
        'Por exemplo: data.id; em branco onde os relatórios trazem o nosso {id}.',
      ),
      okAt: path('Onde fica o resultado na resposta', 'Por exemplo: success; em branco onde basta o código HTTP.'),
      okIs: path('Resultado quando deu certo', 'Por exemplo: true'),
      replyFromAt: path('Resposta do cliente: número', 'Onde fica no aviso que chega, por exemplo: from'),
      replyTextAt: path('Resposta do cliente: texto', 'Por exemplo: text'),
      replyIdAt: path('Resposta do cliente: id', 'Por exemplo: id'),
      reportIdAt: path('Relatório: id', 'Onde fica o id da mensagem no aviso de entrega, por exemplo: id'),
      reportStatusAt: path('Relatório: situação', 'Por exemplo: status'),
      deliveredWords: path('Situações de entregue', 'Separadas por vírgula, por exemplo: DELIVERED, ENTREGUE'),
      failedWords: path('Situações de falha', 'Separadas por vírgula, por exemplo: FAILED, ERRO'),
    },
  },
  capabilities: {
    ...noCapabilities,
    maxTextLength: 1000,
    smsParts: true,
    optOut: true,
    receipts: ['delivered'],
    begins: 'anyone',
    settledWithin: 60,
  },
} as const satisfies ChannelConfig
