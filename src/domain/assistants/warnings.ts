/** Monthly limit: answers of the plan, the company's budget, or an account's budget. */
export type Limit = {
  readonly about: 'answers' | 'budget' | `account ${number}`
  /** Name of the account, for an account's limit. */
  readonly name?: string
  readonly used: number
  readonly most: number
}

/** Warning to send: 80 % or 100 % of a limit is reached. */
export type Warning = Limit & { readonly level: 80 | 100 }

/** Returns the warning that each limit calls for; a limit of 0 is none. */
export const warningsOf = (limits: readonly Limit[]): Warning[] =>
  limits.flatMap((limit) => {
    if (limit.most <= 0 || limit.used < limit.most * 0.8) return []
    return [{ ...limit, level: limit.used < limit.most ? 80 : 100 }]
  })

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const plain = new Intl.NumberFormat('pt-BR')

/** Returns title and text of a warning for administrators: event and consequence. */
export function warningText({ about, name = '', used, most, level }: Warning): { title: string; text: string } {
  const share = Math.floor((used / most) * 100)
  if (about === 'answers')
    return level === 100
      ? {
          title: `As ${plain.format(most)} respostas de IA do plano acabaram`,
          text: 'As pessoas atendem até o mês virar.',
        }
      : {
          title: `Os assistentes já deram ${share}% das respostas do plano`,
          text: `Quando chegarem a ${plain.format(most)}, as pessoas atendem até o mês virar.`,
        }
  const [whose, subject] =
    about === 'budget'
      ? ['O orçamento do mês dos assistentes', 'Os assistentes já gastaram']
      : [`O orçamento do mês de ${name}`, `${name} já gastou`]
  return level === 100
    ? {
        title: `${whose} acabou`,
        text: `São ${reais.format(most)}. As pessoas atendem até o mês virar, ou até ele ser aumentado.`,
      }
    : {
        title: `${subject} ${share}% do orçamento do mês`,
        text: `São ${reais.format(most)}. Quando ele acabar, as pessoas atendem.`,
      }
}
