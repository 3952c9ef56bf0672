import type { GroupRuleKind } from '#domain/groups/tools.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { useUrlState } from '#web/url-state.ts'
import { groupRules, groupToolEvents } from '../addresses.ts'
import type { GroupRule } from '../contract.ts'
import css from './groups.module.css'
import { RuleForm } from './RuleForm.tsx'
import { RULES } from './rule-texts.ts'

const textOf = ({ kind, value }: GroupRule): string => (kind === 'ban' ? formatPhone(value) : value)

/** Describes the consequences of a forbidden word. */
const followsOf = ({ deletes, warning, removeAfter }: GroupRule): string =>
  [
    deletes ? t('apaga') : '',
    warning ? t('avisa') : '',
    removeAfter === null
      ? ''
      : removeAfter === 1
        ? t('remove o autor')
        : t('remove na {count}ª vez', { count: String(removeAfter) }),
  ]
    .filter((one) => one !== '')
    .join(' · ')

const columnsOf = (kind: GroupRuleKind): readonly Column<GroupRule>[] => [
  {
    key: 'value',
    title: RULES[kind].value,
    cell: (row) =>
      kind === 'word' ? (
        <NameCell name={row.value} detail={followsOf(row)} />
      ) : (
        <span className="g-cut">{textOf(row)}</span>
      ),
  },
  { key: 'id', title: t('ID'), width: 64, cell: (row) => row.id },
  { key: 'group', title: t('Grupo'), cell: (row) => <NameCell name={row.groupName} detail={row.whatsappName} /> },
  {
    key: 'state',
    title: t('Situação'),
    cell: (row) => (
      <div className={css.state}>
        {row.problem ? <Pill tone="warn">{t('Sem efeito')}</Pill> : <Pill tone="pos">{t('Valendo')}</Pill>}
        {row.problem && <span>{row.problem}</span>}
      </div>
    ),
  },
  { key: 'hits', title: t('Vezes'), numeric: true, cell: (row) => formatNumber(row.hits) },
  { key: 'user', title: t('Usuário'), cell: (row) => row.userName },
  { key: 'at', title: t('Data'), numeric: true, cell: (row) => formatDateTime(row.createdAt) },
]

/** Creates the page of one kind of group rule. */
export const rulesScreen = (kind: GroupRuleKind) =>
  function RulesScreen() {
    const texts = RULES[kind]
    const [url, setUrl] = useUrlState()
    const list = useList(
      groupRules.list,
      (page) => page.rules,
      { kind, ...(url.busca ? { searchParam: url.busca } : {}) },
      [groupToolEvents.changed],
    )
    return (
      <ListScreen
        title={texts.title}
        nouns={texts.nouns}
        list={list}
        search={t('Buscar')}
        empty={texts.empty}
        add={{ label: texts.add, first: texts.first, run: () => setUrl({ id: 'novo' }) }}
        actions={
          list.rows.length > 0 && (
            <CommandMenu
              label={t('Mais')}
              commands={[
                {
                  id: 'clear',
                  label: t('Excluir tudo…'),
                  icon: DeleteIcon,
                  tone: 'neg',
                  run: () => void clearRules(kind),
                },
              ]}
            />
          )
        }
        file={fileOf(texts)}
        table={{
          columns: columnsOf(kind),
          rowKey: (row) => row.id,
          onOpen: (row) => setUrl({ id: row.id }),
          commands: (row) => [
            { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setUrl({ id: row.id }) },
            { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
          ],
        }}
      >
        {url.id && <RuleForm key={url.id} kind={kind} id={url.id} onClose={() => setUrl({ id: undefined })} />}
      </ListScreen>
    )
  }

async function clearRules(kind: GroupRuleKind) {
  const sure = await confirm({
    title: t('Excluir tudo?'),
    text: t('Todos os itens desta tela deixam de valer, em todos os grupos. Não há volta.'),
    action: t('Excluir tudo'),
  })
  if (sure) await attempt(() => call(groupRules.clear, { query: { kind } }, { quiet: true }), t('Tudo excluído'))
}

async function remove(row: GroupRule) {
  const sure = await confirm({
    title: t('Excluir “{name}”?', { name: textOf(row).slice(0, 60) }),
    text: t('Deixa de valer no grupo {group}.', { group: row.groupName }),
    action: t('Excluir'),
  })
  if (sure)
    await attempt(() => call(groupRules.remove, { params: { id: row.id } }, { quiet: true }), t('Item excluído'))
}

function fileOf(texts: (typeof RULES)[GroupRuleKind]): CsvFile<GroupRule> {
  return {
    name: `${texts.file}.csv`,
    most: 10_000,
    columns: [
      ['ID', (row) => row.id],
      [texts.value, textOf],
      [t('Grupo'), (row) => row.groupName],
      [t('Canal'), (row) => row.whatsappName],
      [t('Situação'), (row) => row.problem || t('Valendo')],
      [t('Vezes'), (row) => row.hits],
      [t('Usuário'), (row) => row.userName],
      [t('Data'), (row) => formatDateTime(row.createdAt)],
    ],
  }
}
