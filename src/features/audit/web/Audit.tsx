import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { sentence } from '#web/api.ts'
import { call, pages, query } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { useNextPage } from '#web/resource/use-next-page.ts'
import { useMay } from '#web/standing.ts'
import { plural } from '#web/t.ts'
import { Pill } from '#web/ui/bits.tsx'
import { ChoiceFilter } from '#web/ui/choice-filter.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { Notice } from '#web/ui/fields.tsx'
import { AuditIcon, ExportIcon } from '#web/ui/icons.ts'
import { notify } from '#web/ui/notify.tsx'
import { FilterChip, FilterRow, Page, PageHead, SearchField } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/states.tsx'
import { useUrlState } from '#web/url-state.ts'
import { type AuditRow, audit } from '../contract.ts'
import css from './audit.module.css'
import { exportAudit } from './export.ts'
import { PeriodFilter } from './PeriodFilter.tsx'
import { Outcome, RecordDrawer } from './RecordDrawer.tsx'
import { profileText, targetText, whoText } from './words.ts'

const columns: readonly Column<AuditRow>[] = [
  { key: 'action', title: 'Ação', cell: (row) => row.summary },
  {
    key: 'who',
    title: 'Quem',
    cell: (row) => (
      <span className={css.who}>
        <span>{whoText(row)}</span>
        {row.isSupport ? <Pill tone="warn">Suporte</Pill> : <small>{profileText(row.profile)}</small>}
      </span>
    ),
  },
  { key: 'target', title: 'Em quê', cell: (row) => targetText(row.target) },
  {
    key: 'when',
    title: 'Quando',
    width: 150,
    cell: (row) => <span className={css.fixed}>{formatDateTime(row.at)}</span>,
  },
  { key: 'from', title: 'Endereço', width: 130, cell: (row) => <span className={css.fixed}>{row.ip}</span> },
  { key: 'result', title: 'Resultado', width: 110, cell: (row) => <Outcome record={row} /> },
]

/** Who did what, when and from where: the company's log, and for the superadmin the installation's beside it. */
export function Audit() {
  const [url, setUrl] = useUrlState()
  const [opened, setOpened] = useState<AuditRow | null>(null)
  const [exported, setExported] = useState<number | null>(null)
  const seesPlatform = useMay()('platform:read')
  const ofPlatform = seesPlatform && url.trilha === 'instalacao'
  const ops = ofPlatform
    ? { list: audit.platformList, options: audit.platformOptions, verify: audit.platformVerify }
    : { list: audit.list, options: audit.options, verify: audit.verify }
  const filter = useMemo(
    () => ({
      searchParam: url.busca,
      user: url.quem ? Number(url.quem) : undefined,
      action: url.acao,
      from: url.de,
      to: url.ate,
      result: url.recusados ? ('refused' as const) : undefined,
    }),
    [url.busca, url.quem, url.acao, url.de, url.ate, url.recusados],
  )
  const list = useInfiniteQuery(pages(ops.list, { query: filter }))
  const options = useQuery(query(ops.options)).data ?? { users: [], actions: [] }
  const verify = useMutation({
    mutationFn: () => call(ops.verify, {}, { long: true, quiet: true }),
    onError: (error) => notify({ tone: 'neg', title: sentence(error) }),
  })
  const rows = list.data?.pages.flatMap((page) => page.records) ?? []
  const first = list.data?.pages[0]
  const clear = {
    busca: undefined,
    quem: undefined,
    acao: undefined,
    de: undefined,
    ate: undefined,
    recusados: undefined,
  }
  const isNarrowed = Object.values(filter).some((value) => value !== undefined && value !== '')
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])
  const onEnd = useNextPage(list)

  const save = async () => {
    setExported(0)
    try {
      const count = await exportAudit(ops.list, filter, setExported)
      notify({ tone: 'pos', title: `${plural(count, 'registro exportado', 'registros exportados')} em auditoria.csv` })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    } finally {
      setExported(null)
    }
  }

  return (
    <Page>
      <PageHead
        title="Auditoria"
        facts={
          first &&
          `${formatNumber(first.count)}${first.countIsCapped ? '+' : ''} ${first.count === 1 ? 'registro' : 'registros'}`
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<AuditIcon size={17} />}
              loading={verify.isPending}
              onClick={() => verify.mutate()}
            >
              Conferir registros
            </Button>
            <Button
              variant="default"
              leftSection={<ExportIcon size={17} />}
              disabled={rows.length === 0 || exported !== null}
              onClick={() => void save()}
            >
              {exported === null ? 'Exportar' : `Exportando ${formatNumber(exported)}`}
            </Button>
          </>
        }
      />
      {verify.data && (
        <div className={css.verified}>
          <Verified {...verify.data} />
        </div>
      )}
      <FilterRow
        right={
          seesPlatform && (
            <SegmentedControl
              aria-label="Trilha"
              value={ofPlatform ? 'instalacao' : 'empresa'}
              onChange={(trilha) => {
                verify.reset()
                setUrl({ ...clear, trilha: trilha === 'instalacao' ? trilha : undefined })
              }}
              data={[
                { value: 'empresa', label: 'Empresa' },
                { value: 'instalacao', label: 'Instalação' },
              ]}
            />
          )
        }
      >
        <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder="Nome, ação, valor ou endereço" />
        <ChoiceFilter
          label="Quem"
          options={options.users.map(({ id, name }) => ({ id, name: name || `Usuário ${id}` }))}
          chosen={filter.user ? [filter.user] : []}
          onChange={(ids) => setUrl({ quem: ids.at(-1) })}
        />
        <ChoiceFilter
          label="Ação"
          options={options.actions.map(({ action, summary }) => ({ id: action, name: summary }))}
          chosen={filter.action ? [filter.action] : []}
          onChange={(ids) => setUrl({ acao: ids.at(-1) })}
        />
        <PeriodFilter from={filter.from} to={filter.to} onChange={setUrl} />
        <FilterChip
          label="Só recusados"
          active={filter.result === 'refused'}
          onClick={() => setUrl({ recusados: url.recusados ? undefined : 'sim' })}
        />
      </FilterRow>
      {list.isPending && <SkeletonRows kind="table" />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          title={isNarrowed ? 'Nenhum registro com este filtro' : 'Nenhum registro ainda'}
          text={
            isNarrowed
              ? 'Confira o que está escolhido, ou veja a trilha inteira.'
              : 'Quem entra, quem sai e o que se muda na administração aparece aqui.'
          }
          {...(isNarrowed ? { step: { label: 'Limpar filtros', run: () => setUrl(clear) } } : {})}
        />
      )}
      {rows.length > 0 && (
        <DataTable
          label="Auditoria"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.seq}
          onOpen={setOpened}
          onEnd={onEnd}
        />
      )}
      {opened && <RecordDrawer record={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

function Verified({ records, faults }: { records: number; faults: readonly string[] }) {
  if (faults.length === 0) {
    const all = records === 1 ? 'O único registro está inteiro' : `Os ${formatNumber(records)} registros estão inteiros`
    return <Notice tone="info">{all}: nenhum falta, nenhum foi alterado.</Notice>
  }
  return <Notice tone="neg">Há algo errado nesta trilha: {faults.join('; ')}.</Notice>
}
