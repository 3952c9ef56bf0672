import type { VisibilityRule } from '#domain/tickets/visibility.ts'
import { t } from '#web/t.ts'

type RuleLabels = { readonly about: string; readonly yes?: string; readonly no?: string }

/** Texts of each visibility rule: in general, and where it decided. */
export const ruleLabels: Readonly<Partial<Record<VisibilityRule, RuleLabels>>> = {
  showAll: {
    about: t('Vê todos os atendimentos da empresa'),
    yes: t('Quem tem a visão ampla vê todos.'),
  },
  groups: {
    about: t('Grupos: os seus, aqueles em que foi incluído e, se a empresa quiser, todos'),
    yes: t('É um grupo de que participa.'),
    no: t('É um grupo de que não participa.'),
  },
  closedForAll: {
    about: t('Resolvidos: a empresa os mostra para todos, nas filas de cada um'),
    yes: t('Está resolvido, e a empresa mostra os resolvidos.'),
  },
  own: { about: t('Vê os seus próprios'), yes: t('É o responsável.') },
  chatbot: {
    about: t('Não vê o que só o chatbot atende'),
    no: t('Só o chatbot atende, e a empresa esconde esses.'),
  },
  queues: {
    about: t('Não vê o que é de filas que não são suas'),
    no: t('A fila do atendimento não é uma das suas.'),
  },
  wallets: {
    about: t('Não vê clientes da carteira de outros'),
    no: t('O cliente está na carteira de outra pessoa.'),
  },
  assigned: {
    about: t('Não vê o que já tem outro responsável'),
    no: t('Tem outro responsável, e a empresa esconde esses.'),
  },
  unrefused: { about: '', yes: t('Nenhuma regra o esconde.') },
}

/** Explains why a ticket is in none of the person's lists: a visibility rule or the list's filters. */
export const whyHidden = (rule: string): string =>
  ruleLabels[rule as VisibilityRule]?.no ?? t('Os filtros da lista o escondem.')

/** Explains why a person may or may not see a ticket. */
export const whyDecided = ({ visible, rule }: { visible: boolean; rule: string }): string =>
  (visible ? ruleLabels[rule as VisibilityRule]?.yes : undefined) ?? whyHidden(rule)
