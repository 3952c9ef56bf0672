import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { figuresOf, listOfAge, ofColumn } from '#domain/tickets/figures.ts'
import { FirstSteps } from '#features/guide/web/index.ts'
import { Period } from '#features/reports/web/index.ts'
import { sentence } from '#web/api.ts'
import { Chart } from '#web/charts/Chart.tsx'
import { formatNumber, formatSpan, formatTime } from '#web/format.ts'
import { readPreferences } from '#web/preferences.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Card, FilterChip, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { useUrlState } from '#web/url-state.ts'
import type { LiveFigures } from '../contract.ts'
import { ByQueue } from './ByQueue.tsx'
import css from './dashboard.module.css'
import { useFigures } from './live.ts'
import { doorOf, type Opened, Rows } from './rows.tsx'

function Figure(props: {
  label: string
  value: number
  note: ReactNode
  tone?: 'warn' | 'neg' | undefined
  to: Opened
}) {
  const { label, value, note, tone, to } = props
  return (
    <div className={css.figure}>
      <Rows {...to} className={css.main}>
        <span>{label}</span>
        <b>{formatNumber(value)}</b>
      </Rows>
      <small data-tone={tone}>{note}</small>
    </div>
  )
}

function Figures({ figures, groups }: { figures: LiveFigures; groups: boolean }) {
  const { longestWait, isWide } = figures
  const lists = figuresOf(groups)
  const to = (key: keyof typeof lists): Opened => ({ of: lists[key], isWide })
  return (
    <section className={css.figures} aria-label={t('Agora e hoje')}>
      <Figure
        label={t('Em atendimento')}
        value={figures.open}
        note={t('Conversas abertas, fora as adiadas.')}
        to={to('open')}
      />
      <Figure
        label={t('Pendentes')}
        value={figures.pending}
        note={t('Conversas à espera de alguém, fora as adiadas.')}
        to={to('pending')}
      />
      <Figure
        label={t('Esperando por nós')}
        value={figures.waiting}
        note={
          <>
            {t('Abertos e pendentes em que o cliente falou por último.')} <Longest wait={longestWait} />
          </>
        }
        tone={longestWait ? 'warn' : undefined}
        to={to('waiting')}
      />
      <Figure
        label={t('Prazo em risco')}
        value={figures.warned}
        note={t('Abertos e pendentes com o próximo prazo perto do fim.')}
        tone={figures.warned > 0 ? 'warn' : undefined}
        to={to('warned')}
      />
      <Figure
        label={t('Prazo estourado')}
        value={figures.missed}
        note={t('Abertos e pendentes com um prazo já perdido.')}
        tone={figures.missed > 0 ? 'neg' : undefined}
        to={to('missed')}
      />
      <Figure
        label={t('Resolvidos hoje')}
        value={figures.closedToday}
        note={t('Resolvidos desde a meia-noite e ainda resolvidos.')}
        to={to('closedToday')}
      />
      <Today figures={figures} />
    </section>
  )
}

/** Longest time that a customer has been waiting, with a link to the ticket. */
function Longest({ wait }: { wait: LiveFigures['longestWait'] }) {
  const now = useNow()
  if (!wait) return t('Agora ninguém.')
  return (
    <Link to={`/atendimento/${wait.ticketId}`}>
      {t('maior espera: {value}', {
        value: formatSpan(now - wait.since).replace(t('agora'), t('menos de 1 min')),
      })}
    </Link>
  )
}

/** Figures of today that the user may see. */
function Today({ figures: { scheduled, birthdays, today } }: { figures: LiveFigures }) {
  return (
    <>
      {scheduled !== null && (
        <Figure
          label={t('Agendados para hoje')}
          value={scheduled}
          note={t('Mensagens que ainda saem hoje.')}
          to={{ path: '/agendamentos', search: { de: today, ate: today } }}
        />
      )}
      {birthdays !== null && (
        <Figure
          label={t('Aniversariantes de hoje')}
          value={birthdays}
          note={t('Contatos que fazem aniversário hoje.')}
          to={{ path: '/aniversarios', search: { quando: 'today' } }}
        />
      )}
    </>
  )
}

const spans: Readonly<Record<number, string>> = {
  5: t('5 min'),
  15: t('15 min'),
  60: t('1 h'),
  240: t('4 h'),
  1440: t('1 dia'),
}

function Ages({ figures: { ages, isWide }, groups }: { figures: LiveFigures; groups: boolean }) {
  return (
    <Card title={t('Espera por tempo')}>
      <p className={css.none}>{t('Quem espera por nós há tanto tempo ou mais.')}</p>
      <Chart
        kind="bar"
        label={t('Espera por tempo')}
        axis="names"
        series={[{ key: 'count', label: t('Conversas') }]}
        marks={ages.map(({ minutes, count }) => ({
          key: String(minutes),
          label: t('há {span} ou mais', { span: spans[minutes] ?? '' }),
          values: { count },
        }))}
        format={formatNumber}
        doorOf={({ key }) => doorOf({ of: listOfAge(groups, Number(key)), isWide })}
      />
    </Card>
  )
}

function Online({ figures, groups }: { figures: LiveFigures; groups: boolean }) {
  const { online, onlineCount } = figures
  if (onlineCount === 0) return <p className={css.none}>{t('Ninguém está online agora.')}</p>
  return (
    <ul className={css.people}>
      {online.map((person) => (
        <li key={person.id}>
          <Avatar id={person.id} name={person.name} size={34} status="online" />
          <span className="g-cut">{person.name}</span>
          {person.open !== null && (
            <Rows of={ofColumn(figuresOf(groups).open, 'user', person.id)} isWide={figures.isWide} className={css.load}>
              {person.open === 0 ? 'livre' : `atendendo ${formatNumber(person.open)}`}
            </Rows>
          )}
        </li>
      ))}
      {onlineCount > online.length && (
        <li className={css.none}>
          {t('e mais {onlineCount}', { onlineCount: formatNumber(onlineCount - online.length) })}
        </li>
      )}
    </ul>
  )
}

/** Page of the dashboard: present and today's figures, each linked to its rows. */
export function Dashboard() {
  const [url, setUrl] = useUrlState()
  const groups = url.grupos === 'sim'
  const { data, error, dataUpdatedAt, refetch } = useFigures(groups)
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  return (
    <Page>
      <PageHeader
        title={t('Painel de Controle')}
        facts={
          data &&
          t('Ao vivo · {what} · atualizado às {dataUpdatedAt}', {
            what: data.isWide ? t('a empresa inteira') : t('os atendimentos que você vê'),
            dataUpdatedAt: formatTime(dataUpdatedAt),
          })
        }
        actions={
          <FilterChip
            label={t('Com grupos')}
            active={groups}
            onClick={() => setUrl({ grupos: groups ? undefined : 'sim' })}
          />
        }
      />
      <Suspense>{!readPreferences().hidesFirstSteps && <FirstSteps />}</Suspense>
      <Suspense fallback={<SkeletonRows kind="card" rows={4} />}>
        <Period />
      </Suspense>
      {!data && <SkeletonRows kind="card" rows={4} />}
      {data && (
        <section aria-label={t('Agora')}>
          <h2 className={css.heading}>{t('Agora')}</h2>
          <Figures figures={data} groups={groups} />
          <div className={css.panels}>
            <ByQueue queues={data.queues} isWide={data.isWide} groups={groups} />
            <div className={css.side}>
              <Ages figures={data} groups={groups} />
              <Card
                title={t('Equipe online')}
                actions={<span className={css.count}>{formatNumber(data.onlineCount)}</span>}
              >
                <Online figures={data} groups={groups} />
              </Card>
            </div>
          </div>
        </section>
      )}
    </Page>
  )
}
