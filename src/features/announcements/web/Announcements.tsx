import { Button, MultiSelect, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { companies } from '#features/tenants/addresses.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { AddIcon, DeleteIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { announcements } from '../addresses.ts'
import type { Announcement } from '../contract.ts'
import { announcementForm } from '../forms.ts'

const columns: readonly Column<Announcement>[] = [
  { key: 'message', title: t('Mensagem'), cell: (row) => row.message },
  {
    key: 'userName',
    title: t('Usuário'),
    cell: (row) => t('{name} (nº {id})', { name: row.userName, id: row.userId }),
  },
  { key: 'tenantName', title: t('Empresa'), cell: (row) => row.tenantName },
  {
    key: 'isRead',
    title: t('Leitura'),
    width: 110,
    cell: (row) => (row.isRead ? <Pill tone="pos">{t('Lido')}</Pill> : <Pill>{t('Não lido')}</Pill>),
  },
  { key: 'createdAt', title: t('Data'), width: 150, cell: (row) => formatDateTime(row.createdAt) },
]

/** Page with the announcements to all companies' users and their read state; sends new ones. */
export function Announcements() {
  const [url, setUrl] = useUrlState()
  const list = useList(announcements.list, (page) => page.notifications, { searchParam: url.busca })
  const remove = async (row: Announcement) => {
    await attempt(
      () => call(announcements.remove, { params: { noticeId: row.id } }, { quiet: true }),
      t('Aviso excluído'),
    )
  }
  const removeAll = async () => {
    const isSure = await confirm({
      title: t('Excluir todos os avisos?'),
      text: t('Eles somem para todas as pessoas, também o que ainda não foi lido.'),
      action: t('Excluir todos'),
      tone: 'neg',
    })
    if (isSure) await attempt(() => call(announcements.removeAll, {}, { quiet: true }), t('Avisos excluídos'))
  }
  return (
    <>
      <ListScreen
        title={t('Avisos')}
        nouns={[t('aviso'), t('avisos')]}
        list={list}
        search={t('Mensagem, pessoa ou empresa')}
        empty={{
          title: t('Nenhum aviso'),
          text: t('Avise as pessoas de todas as empresas, ou de algumas: a mensagem aparece na tela de cada uma.'),
        }}
        actions={
          <>
            <Button variant="default" leftSection={<DeleteIcon size={17} />} onClick={() => void removeAll()}>
              {t('Excluir todos')}
            </Button>
            <Button leftSection={<AddIcon size={17} />} onClick={() => setUrl({ id: 'novo' })}>
              {t('Novo aviso')}
            </Button>
          </>
        }
        table={{
          columns,
          rowKey: (row) => row.id,
          commands: (row) => [
            { id: 'remove', label: t('Excluir'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
          ],
        }}
      />
      {url.id === 'novo' && <AnnouncementForm onClose={() => setUrl({ id: undefined })} />}
    </>
  )
}

const nothing: { message: string; tenantIds: number[] } = { message: '', tenantIds: [] }

function AnnouncementForm({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('')
  const { data } = useQuery(query(companies.list, { query: { searchParam: search } }))
  const { values, errors, set, drawer, save } = useDrawerForm(nothing, {
    stored: null,
    checker: announcementForm,
    onClose,
  })
  // Chosen companies keep their names while a search shows others.
  const known = useRef(new Map<number, string>())
  for (const { id, name } of data?.tenants ?? []) known.current.set(id, name)
  const offered = new Set([...values.tenantIds, ...(data?.tenants ?? []).map(({ id }) => id)])
  const send = async () => {
    const { count } = await call(announcements.create, { body: values }, { quiet: true })
    return count === 1 ? t('1 pessoa avisada') : t('{count} pessoas avisadas', { count })
  }
  return (
    <FormDrawer {...drawer} onSave={() => void save(send)} title={t('Novo aviso')} saveLabel={t('Avisar')}>
      <Textarea
        label={t('Mensagem')}
        description={t('Aparece na tela de cada pessoa até que ela diga que leu.')}
        autosize
        minRows={4}
        maxLength={2000}
        error={errors['message']}
        value={values.message}
        onChange={(event) => set('message', event.currentTarget.value)}
      />
      <MultiSelect
        label={t('Empresas')}
        description={t('Nenhuma: todas as empresas ativas.')}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        data={[...offered].map((id) => ({ value: String(id), label: known.current.get(id) ?? String(id) }))}
        error={errors['tenantIds']}
        value={values.tenantIds.map(String)}
        onChange={(ids) => set('tenantIds', ids.map(Number))}
      />
    </FormDrawer>
  )
}
