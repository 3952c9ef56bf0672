import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { sentence } from '#web/api.ts'
import { call, mutation, pages } from '#web/client.ts'
import { formatMoney, formatNumber } from '#web/format.ts'
import { useNextPage } from '#web/resource/use-next-page.ts'
import { plural, t } from '#web/t.ts'
import { Pill } from '#web/ui/bits.tsx'
import { confirm } from '#web/ui/confirm.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { SwitchGroup, SwitchRow } from '#web/ui/fields.tsx'
import { AddIcon, DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import { notify } from '#web/ui/notify.tsx'
import { FilterRow, Page, PageHead, SearchField } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/states.tsx'
import { useUrlState } from '#web/url-state.ts'
import { type Plan, plans } from '../contract.ts'
import { PlanDrawer } from './PlanDrawer.tsx'
import css from './plans.module.css'

const columns: Column<Plan>[] = [
  {
    key: 'name',
    title: 'Nome',
    cell: (plan) => (
      <span className={css.name}>
        {plan.name}
        {!plan.isActive && <Pill tone="plain">{t('Inativo')}</Pill>}
      </span>
    ),
  },
  { key: 'value', title: 'Valor', numeric: true, cell: (plan) => formatMoney(plan.value) },
  { key: 'connections', title: 'Conexões', numeric: true, cell: (plan) => formatNumber(plan.connections) },
  { key: 'users', title: 'Usuários', numeric: true, cell: (plan) => formatNumber(plan.users) },
  { key: 'trial', title: 'Trial', cell: (plan) => (plan.trial ? t('Sim') : t('Não')) },
  {
    key: 'trialPeriod',
    title: 'Período',
    cell: (plan) => (plan.trial ? plural(plan.trialPeriod, t('dia'), t('dias')) : null),
  },
  { key: 'tenants', title: 'Empresas', numeric: true, cell: (plan) => formatNumber(plan.tenants) },
]

/** What the installation offers, and whether new companies may sign up by themselves. */
export function Plans() {
  const [url, setUrl] = useUrlState()
  const list = useInfiniteQuery(pages(plans.list, { query: { searchParam: url.busca } }))
  const open = useMutation(mutation(plans.open))
  const rows = list.data?.pages.flatMap((page) => page.plan) ?? []
  const first = list.data?.pages[0]
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])
  const onEnd = useNextPage(list)
  const add = () => setUrl({ id: 'novo' })

  const remove = async (plan: Plan) => {
    const sure = await confirm({
      title: t('Excluir o plano “{name}”?', { name: plan.name }),
      text: t('Ele deixa de ser oferecido agora, e isto não pode ser desfeito.'),
      action: t('Excluir plano'),
    })
    if (!sure) return
    try {
      await call(plans.remove, { params: { id: plan.id } }, { quiet: true })
      notify({ tone: 'pos', title: t('Plano excluído') })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }

  return (
    <Page>
      <PageHead
        title={t('Planos')}
        facts={t('Preço e limites que uma empresa recebe ao se cadastrar')}
        actions={
          <Button leftSection={<AddIcon size={17} />} onClick={add}>
            {t('Adicionar plano')}
          </Button>
        }
      />
      {first && (
        <div className={css.open}>
          <SwitchGroup>
            <SwitchRow
              name={t('Aceitar cadastros em /signup')}
              effect={t('Qualquer pessoa cria uma empresa com um dos planos ativos. Desligado, só convites.')}
              checked={first.isOpen}
              disabled={open.isPending}
              onChange={(isOpen) => open.mutate({ body: { isOpen } })}
            />
          </SwitchGroup>
        </div>
      )}
      <FilterRow>
        <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder={t('Buscar planos')} />
      </FilterRow>
      {list.isPending && <SkeletonRows kind="table" />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          title={url.busca ? t('Nenhum plano com esse texto') : t('Nenhum plano ainda')}
          text={t('Sem um plano ativo, ninguém consegue se cadastrar.')}
          step={
            url.busca
              ? { label: t('Limpar filtros'), run: () => setUrl({ busca: undefined }) }
              : { label: t('Criar o primeiro'), run: add, icon: <AddIcon size={17} /> }
          }
        />
      )}
      {rows.length > 0 && (
        <DataTable
          label={t('Planos')}
          columns={columns}
          rows={rows}
          rowKey={(plan) => plan.id}
          onOpen={(plan) => setUrl({ id: plan.id })}
          onEnd={onEnd}
          commands={(plan) => [
            { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setUrl({ id: plan.id }) },
            { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(plan) },
          ]}
        />
      )}
      {url.id && <PlanDrawer key={url.id} id={url.id} onClose={() => setUrl({ id: undefined })} />}
    </Page>
  )
}
