import { call } from '#web/client.ts'
import { formatMoney, formatNumber } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useTable } from '#web/resource/use-table.tsx'
import { plural, t } from '#web/t.ts'
import { onOff, saveChoice } from '#web/ui/feedback/save-choice.ts'
import { DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { plans } from '../addresses.ts'
import type { Plan } from '../contract.ts'
import { planTable } from '../table.ts'
import { PlanDrawer } from './PlanDrawer.tsx'
import css from './plans.module.css'

const columns: Column<Plan>[] = [
  {
    key: 'name',
    title: t('Nome'),
    sortable: true,
    cell: (plan) => (
      <span className={css.name}>
        {plan.name}
        {!plan.isActive && <Pill tone="plain">{t('Inativo')}</Pill>}
      </span>
    ),
  },
  { key: 'value', sortable: true, title: t('Valor'), numeric: true, cell: (plan) => formatMoney(plan.value) },
  {
    key: 'connections',
    sortable: true,
    title: t('Canais'),
    numeric: true,
    cell: (plan) => formatNumber(plan.connections),
  },
  { key: 'users', sortable: true, title: t('Usuários'), numeric: true, cell: (plan) => formatNumber(plan.users) },
  {
    key: 'assistantAnswers',
    sortable: true,
    title: t('Respostas de IA'),
    numeric: true,
    cell: (plan) => (plan.assistantAnswers > 0 ? formatNumber(plan.assistantAnswers) : t('Sem limite')),
  },
  { key: 'trial', sortable: true, title: t('Teste'), cell: (plan) => (plan.trial ? t('Sim') : t('Não')) },
  {
    key: 'trialPeriod',
    sortable: true,
    title: t('Período'),
    cell: (plan) => (plan.trial ? plural(plan.trialPeriod, t('dia'), t('dias')) : null),
  },
  { key: 'tenants', title: t('Empresas'), numeric: true, cell: (plan) => formatNumber(plan.tenants) },
]

const signUps = t('Aceitar cadastros em /signup')

// The list is read again with every change, and with it the switch.
const chooseOpen = (next: boolean) =>
  void saveChoice({
    label: signUps,
    before: !next,
    next,
    labelOf: onOff,
    save: (isOpen) => call(plans.open, { body: { isOpen } }, { quiet: true }),
  })

/** Page of the installation's plans, with a switch for signup. */
export function Plans() {
  const [url, setUrl] = useUrlState()
  const { list, remove, bar, screen, table } = useTable({
    spec: planTable,
    ops: plans,
    rowsOf: (page) => page.plan,
    nameOf: (plan) => plan.name,
    loss: t('Ele deixa de ser oferecido agora, e isto não pode ser desfeito.'),
  })
  return (
    <ListScreen
      {...screen}
      facts={t('Preço e limites que uma empresa recebe ao se cadastrar')}
      empty={{ title: t('Nenhum plano'), text: t('Sem um plano ativo, ninguém consegue se cadastrar.') }}
      add={{ label: t('Adicionar plano'), first: t('Criar o primeiro'), run: () => setUrl({ id: 'novo' }) }}
      note={
        list.first && (
          <div className={css.open}>
            <SwitchGroup>
              <SwitchRow
                name={t(signUps)}
                effect={t('Qualquer pessoa cria uma empresa com um dos planos ativos. Desligado, só convites.')}
                checked={list.first.isOpen}
                onChange={chooseOpen}
              />
            </SwitchGroup>
          </div>
        )
      }
      table={{
        columns,
        ...table,
        onOpen: (plan) => setUrl({ id: plan.id }),
        commands: (plan) => [
          { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setUrl({ id: plan.id }) },
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(plan) },
        ],
      }}
    >
      {bar}
      {url.id && <PlanDrawer key={url.id} id={url.id} onClose={() => setUrl({ id: undefined })} />}
    </ListScreen>
  )
}
