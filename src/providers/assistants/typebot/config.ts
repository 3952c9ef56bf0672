import { conversationFields } from '../llm.ts'
import type { AssistantConfig } from '../port.ts'

/** Config of Typebot's flows. */
export const typebotConfig: AssistantConfig = {
  ...{ id: 'typebot', ticketSwitch: 'typebot', kind: 'flow', hasEffects: true, takesAttachments: true },
  name: 'Typebot',
  help: 'Publique o bot no Typebot e copie o fim do endereço dele (o “public ID”). Num servidor próprio, o endereço é o do viewer.',
  fields: {
    baseUrl: {
      kind: 'url',
      label: 'Endereço do viewer',
      required: true,
      missing: 'Informe o endereço.',
      default: 'https://typebot.io/api',
    },
    publicId: { kind: 'text', label: 'Bot (public ID)', required: true, missing: 'Informe o bot.', max: 120 },
    apiKey: { kind: 'secret', label: 'Token da API', hint: 'Só para bots que não estão publicados.' },
    restartWord: { kind: 'text', label: 'Palavra para recomeçar', max: 60 },
    unknownMessage: {
      kind: 'text',
      label: 'Quando a opção não existe',
      max: 500,
      default: 'Não entendi. Escolha uma das opções.',
    },
    choiceMessage: { kind: 'text', label: 'Acima das opções', max: 200, default: 'Escolha uma opção:' },
    isButton: {
      kind: 'boolean',
      label: 'Botões em vez de lista',
      hint: 'Onde o canal os tem e as opções cabem; senão lista, senão números.',
      default: true,
    },
    ...conversationFields,
  },
}
