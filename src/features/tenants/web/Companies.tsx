import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ownMember } from '#domain/keys.ts'
import { firstOf } from '#domain/present.ts'
import type { Answer } from '#kit/contract.ts'
import { PLAN_FEATURES } from '#kit/plan-features.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { formatDate, formatNumber, formatSpan } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { viewer } from '#web/session/session.ts'
import { plural, t } from '#web/t.ts'
import '#web/registries.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { BarsIcon, BlockIcon, EditIcon, ReopenIcon, UsersIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { ActiveState, Pill } from '#web/ui/identity/badges.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import { Usage } from '#web/ui/identity/Usage.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { FilterChip } from '#web/ui/layout/page.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { useUrlState } from '#web/url-state.ts'
import { companies } from '../addresses.ts'
import type { Company } from '../companies.ts'
import { CompanyForm } from './CompanyForm.tsx'
import css from './companies.module.css'
import { isWhole, type Section, sections } from './company-values.ts'
import { Trend } from './Trend.tsx'

const DAY_MS = 86_400_000

/** Formats the end of a trial: “termina em 5 d”, or how long it has been over. */
function trialText({ trialEndsAt }: Company): string | null {
  if (!trialEndsAt) return null
  const left = Date.parse(trialEndsAt) - Date.now()
  if (left <= 0) return t('terminou em {day}', { day: formatDate(trialEndsAt) })
  return left < 2 * DAY_MS
    ? t('termina em {span}', { span: formatSpan(left) })
    : t('termina em {n} dias', { n: Math.round(left / DAY_MS) })
}

const fixed: readonly Column<Company>[] = [
  {
    key: 'name',
    title: t('Empresa'),
    cell: (row) => (
      <NameCell
        picture={<Avatar id={row.id} name={row.name} size={34} square />}
        name={row.name}
        detail={[row.ownerEmail ?? t('Sem administrador'), ...row.domains.slice(0, 1)].join(' · ')}
        faded={row.status === 'inactive'}
      />
    ),
  },
  { key: 'status', title: t('Situação'), cell: (row) => <State row={row} /> },
  { key: 'users', title: t('Usuários'), cell: (row) => <Usage used={row.users} limit={row.maxUsers} /> },
  {
    key: 'connections',
    title: t('Canais'),
    cell: (row) => <Usage used={row.connections} limit={row.maxConnections} />,
  },
  {
    key: 'plan',
    title: t('Plano'),
    cell: (row) => {
      const without = row.excludedFeatures.map((key) => ownMember(PLAN_FEATURES, key)?.name).filter(Boolean)
      const trial = trialText(row)
      return (
        <span className={css.names}>
          <span className="g-cut">{row.planName ?? '—'}</span>
          {trial && <small>{trial}</small>}
          {without.length > 0 && <small>{t('sem {features}', { features: without.join(', ') })}</small>}
        </span>
      )
    },
  },
  {
    key: 'channels',
    title: t('Tipos de canal'),
    cell: (row) =>
      row.allowedChannels.length === 0 ? (
        <span className={css.soft}>{t('Nenhum')}</span>
      ) : (
        <span className={css.channels}>
          {oneOfEach(row.allowedChannels.map(channelLook)).map(({ Icon, color, name }) => (
            <span key={name} role="img" aria-label={name} title={name} style={{ color }}>
              <Icon size={17} />
            </span>
          ))}
        </span>
      ),
  },
]

/** Groups channels with the same icon, with all of their names. */
const oneOfEach = (looks: readonly ReturnType<typeof channelLook>[]) =>
  [...Map.groupBy(looks, ({ Icon }) => Icon).values()].map((all) => ({
    ...firstOf(all),
    name: all.map(({ name }) => name).join(', '),
  }))

function State({ row }: { row: Company }) {
  const isOnTrial = row.trialEndsAt !== null && Date.parse(row.trialEndsAt) > Date.now()
  if (row.status === 'active' && isOnTrial) return <Pill tone="info">{t('Em teste')}</Pill>
  return <ActiveState isActive={row.status === 'active'} feminine />
}

async function setStatus({ id, name }: Company, status: Company['status']): Promise<void> {
  const sure =
    status === 'active' ||
    (await confirm({
      title: t('Desativar {name}?', { name }),
      text: t('Todos que estão dentro saem agora, e ninguém entra até ela ser ativada de novo. Nada é apagado.'),
      action: t('Desativar empresa'),
    }))
  const send = () => call(companies.update, { params: { id }, body: { status } }, { quiet: true })
  if (sure) await attempt(send, status === 'active' ? t('Empresa ativada') : t('Empresa desativada'))
}

/** Filters of the company list, by their names in the URL; the first shows all. */
const KINDS = [
  { key: undefined, label: t('Todas'), query: {} },
  { key: 'active', label: t('Ativas'), query: { status: 'active' } },
  { key: 'trial', label: t('Em teste'), query: { only: 'trial' } },
  { key: 'full', label: t('No limite'), query: { only: 'full' } },
  { key: 'inactive', label: t('Inativas'), query: { status: 'inactive' } },
] as const

const totalsText = (all: Answer<typeof companies.totals>): string =>
  [
    plural(all.companies, t('empresa'), t('empresas')),
    plural(all.users, t('usuário'), t('usuários')),
    plural(all.connections, t('canal'), t('canais')),
    all.ending > 0 && plural(all.ending, t('teste termina em 7 dias'), t('testes terminam em 7 dias')),
  ]
    .filter(Boolean)
    .join(' · ')

const isFirst = ({ id }: Company) => id === 1 || id === viewer().tenantId

function commandsOf(
  row: Company,
  open: (id: number, section?: Section) => void,
  navigate: ReturnType<typeof useNavigate>,
): Command[] {
  return [
    { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
    { id: 'metrics', label: t('Métricas'), icon: BarsIcon, run: () => open(row.id, 'metricas') },
    {
      id: 'users',
      label: t('Usuários'),
      icon: UsersIcon,
      run: () => void navigate({ to: '/usuariotenants', search: { empresa: row.id } }),
    },
    row.status === 'active'
      ? {
          id: 'shut',
          label: t('Desativar…'),
          icon: BlockIcon,
          tone: 'neg',
          when: () => !isFirst(row),
          run: () => void setStatus(row, 'inactive'),
        }
      : { id: 'open', label: t('Ativar'), icon: ReopenIcon, run: () => void setStatus(row, 'active') },
  ]
}

/** Page of the installation's companies: plan, usage and status. */
export function Companies() {
  const [url, setUrl] = useUrlState()
  const navigate = useNavigate()
  const shown = KINDS.find(({ key }) => key === url.status)
  const { data: totals } = useQuery(query(companies.totals))
  const list = useList(companies.list, (page) => page.tenants.filter(isWhole), {
    searchParam: url.busca,
    ...shown?.query,
  })
  const open = (id: number | 'novo', section?: Section) => setUrl({ id, aba: section })
  const section = sections.find(({ key }) => key === url.aba)?.key ?? 'dados'
  const ids = list.rows.map(({ id }) => id)
  const trend: Column<Company> = {
    key: 'trend',
    title: t('Mensagens, 30 dias'),
    cell: ({ id }) => <Trend id={id} ids={ids} />,
  }
  return (
    <ListScreen
      title={t('Empresas')}
      nouns={[t('empresa'), t('empresas')]}
      list={list}
      search={t('Nome, e-mail, identidade ou domínio')}
      facts={totals && totalsText(totals)}
      filters={KINDS.map(({ key, label }) => (
        <FilterChip
          key={label}
          label={totals ? `${label} ${formatNumber(totals[key ?? 'companies'])}` : label}
          active={shown?.key === key}
          onClick={() => setUrl({ status: shown?.key === key ? undefined : key })}
        />
      ))}
      filterNames={['status']}
      empty={{ title: t('Nenhuma empresa'), text: t('Cada empresa tem os seus usuários, canais e conversas.') }}
      add={{ label: t('Adicionar empresa'), first: t('Criar a primeira'), run: () => open('novo') }}
      table={{
        columns: [...fixed, trend],
        rowKey: (row) => row.id,
        tall: true,
        onOpen: (row) => open(row.id),
        commands: (row) => commandsOf(row, open, navigate),
      }}
    >
      {url.id && (
        <CompanyForm
          key={url.id}
          id={url.id}
          section={section}
          onSection={(aba) => setUrl({ aba })}
          onClose={() => setUrl({ id: undefined, aba: undefined })}
        />
      )}
    </ListScreen>
  )
}
