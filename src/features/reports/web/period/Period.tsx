import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { ExportMenu } from '#web/resource/ExportMenu.tsx'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { namedReports, statistics } from '../../addresses.ts'
import { FILTER_NAMES, rowsDoor, useAsked } from '../asked.ts'
import { ProofAlarm } from '../proof.tsx'
import { ReportFilters } from '../ReportFilters.tsx'
import css from '../reports.module.css'
import { Cards } from './Cards.tsx'
import { Panels } from './panels.tsx'

const SCOPES = {
  all: t('No período'),
  seen: t('No período: os atendimentos que você vê'),
  own: t('Meus números no período'),
}

/** Statistics of a period compared with the previous one: figures, panels and the table of users. */
export function Period() {
  const { url, setUrl, asked } = useAsked()
  const may = useMay()
  const { data, error, refetch } = useQuery({
    ...query(statistics.times, { query: asked }),
    placeholderData: keepPreviousData,
  })
  const doorOf = (more: Readonly<Record<string, string | number | undefined>>) => rowsDoor(url, asked, more)
  return (
    <section className={css.period} aria-label={data ? SCOPES[data.scope] : t('No período')}>
      <FilterRow
        filters={<ReportFilters hasTimes />}
        right={
          may('reports:read') && (
            <ExportMenu
              formats={['xlsx', 'csv']}
              file={t('atendimentos')}
              take={(format) =>
                call(
                  namedReports.export,
                  { body: { report: 'tickets', format, filter: asked } },
                  { long: true, quiet: true },
                )
              }
              done={t('Relatório exportado; a exportação fica registrada na auditoria.')}
            />
          )
        }
        isNarrowed={FILTER_NAMES.some((name) => url[name])}
        onClear={() => setUrl(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}
      >
        <h2 className={css.heading}>{data ? SCOPES[data.scope] : t('No período')}</h2>
      </FilterRow>
      <ProofAlarm />
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={3} />}
      {data && (
        <>
          <Cards totals={data} doorOf={(measure) => doorOf(measure === 'tickets' ? {} : { medida: measure })} />
          <Panels asked={asked} days={data.days.map(({ dt_ref }) => dt_ref)} doorOf={doorOf} />
        </>
      )}
    </section>
  )
}
