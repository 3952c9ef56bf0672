import { firstOf } from '../present.ts'
import { type FlowDocument, NEW_FLOW } from './document.ts'
import { type JsonObject, objectsIn, textOf } from './json.ts'

/** Templates of a new flow. */
export const FLOW_TEMPLATES = ['menu', 'hours', 'faq'] as const

/** Template of a new flow. */
export type FlowTemplate = (typeof FLOW_TEMPLATES)[number]

const goTo = (nextStepId: string): JsonObject => ({ action: 0, nextStepId })
const any = (id: string, action: JsonObject): JsonObject => ({ id, type: 'US', ...action })
const answered = (id: string, values: readonly string[], action: JsonObject): JsonObject => ({
  ...{ id, type: 'R', comparisonType: 'contains', condition: values },
  ...action,
})
const step = (id: string, name: string, [left, top]: [number, number], text: string, conditions: JsonObject[]) => ({
  ...{ id, name, type: 'node', left: `${left}px`, top: `${top}px` },
  ...{ interactions: [{ id: `${id}-text`, type: 'MessageField', data: { message: text } }], conditions },
})

const people = (at: [number, number]) =>
  step('people', 'Passar para a equipe', at, 'Certo! Uma pessoa da equipe já vai falar com você.', [])

/** Returns a flow of these steps, with the start and settings of a new one. */
const flowOf = (steps: readonly JsonObject[]): FlowDocument => ({
  nodeList: [...objectsIn(NEW_FLOW['nodeList']).filter(({ type }) => type !== 'node'), ...steps],
  lineList: [{ from: 'start', to: textOf(firstOf(steps)['id']) }],
})

const documents: Readonly<Record<FlowTemplate, FlowDocument>> = {
  menu: flowOf([
    step(
      'welcome',
      'Menu',
      [360, 60],
      '{{greeting}}, {{firstName}}! Como podemos ajudar?\n*1* Comprar\n*2* Já sou cliente\n*3* Falar com uma pessoa',
      [
        answered('welcome-1', ['1', 'comprar'], goTo('buy')),
        answered('welcome-2', ['2', 'cliente'], goTo('customer')),
        answered('welcome-3', ['3', 'pessoa', 'atendente'], goTo('people')),
      ],
    ),
    step('buy', 'Comprar', [720, 60], 'Que bom! O que você procura?', [any('buy-any', goTo('people'))]),
    step('customer', 'Já é cliente', [720, 260], 'Me diga o número do pedido ou o que aconteceu.', [
      any('customer-any', goTo('people')),
    ]),
    people([1080, 160]),
  ]),
  hours: flowOf([
    {
      ...step('welcome', 'Estamos atendendo?', [360, 60], '{{greeting}}, {{firstName}}!', [
        { id: 'closed', type: 'R', on: 'hours', condition: ['closed'], ...goTo('closed') },
        any('open', goTo('people')),
      ]),
      wait: false,
    },
    step(
      'closed',
      'Fora do horário',
      [720, 60],
      'Agora estamos fora do horário. Deixe sua mensagem: respondemos assim que a equipe voltar.',
      [any('closed-any', goTo('noted'))],
    ),
    step('noted', 'Recado anotado', [1080, 60], 'Anotado. Até logo!', []),
    people([720, 260]),
  ]),
  faq: flowOf([
    step(
      'welcome',
      'Perguntas frequentes',
      [360, 60],
      '{{greeting}}, {{firstName}}! Sobre o que é a sua dúvida?\n*1* Preços\n*2* Entrega\n*3* Pagamento\n*4* Outra coisa',
      [
        answered('welcome-1', ['1', 'preço', 'valor'], goTo('price')),
        answered('welcome-2', ['2', 'entrega', 'prazo'], goTo('delivery')),
        answered('welcome-3', ['3', 'pagamento', 'pix', 'cartão'], goTo('payment')),
        answered('welcome-4', ['4', 'outra'], goTo('people')),
      ],
    ),
    ...(
      [
        ['price', 'Preços', 'Escreva aqui onde estão os preços.'],
        ['delivery', 'Entrega', 'Escreva aqui o prazo e as regiões de entrega.'],
        ['payment', 'Pagamento', 'Escreva aqui as formas de pagamento.'],
      ] as const
    ).map(([id, name, text], index) =>
      step(id, name, [720, 60 + 200 * index], `${text}\nPosso ajudar em algo mais?`, [
        answered(`${id}-no`, ['não', 'obrigado', 'obrigada'], { action: 3, closeTicket: 'Até logo!' }),
        any(`${id}-more`, goTo('welcome')),
      ]),
    ),
    people([720, 660]),
  ]),
}

/** Returns the document of a template. */
export const templateOf = (template: FlowTemplate): FlowDocument => documents[template]
