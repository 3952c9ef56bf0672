import { expect, test } from 'vitest'
import { csv, decodeText, readCsv } from './csv.ts'

test('a file that Brazilian spreadsheets open as it was', () => {
  expect(
    csv(
      ['Nome', 'Ativa'],
      [
        ['Pós-venda; "ouro"', true],
        ['=SOMA(A1)', false],
        [null, undefined],
      ],
    ),
  ).toBe('\uFEFFNome;Ativa\r\n"Pós-venda; ""ouro""";Sim\r\n\'=SOMA(A1);Não\r\n;\r\n')
})

test('a file is read as it was written, whatever stands between its cells', () => {
  const rows = [
    ['Nome', 'Texto'],
    ['Pós-venda; "ouro"', 'duas\nlinhas'],
    ['=SOMA(A1)', '+55 (19) 99812-4407'],
    ['', 'só o segundo'],
    ['só o primeiro', ''],
  ]
  expect(readCsv(csv(rows[0]!, rows.slice(1)))).toEqual(rows)
  expect(readCsv('a,b\n1,"x, y"\n\n2,z')).toEqual([
    ['a', 'b'],
    ['1', 'x, y'],
    ['2', 'z'],
  ])
  expect(readCsv('a\tb\r\n1\t2\r\n')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
  expect(readCsv('')).toEqual([])
  expect(readCsv('a;b\n"sem fim;2')[0]).toEqual(['a', 'b'])
  expect(decodeText(Uint8Array.of(0x50, 0xf3, 0x73))).toBe('Pós')
  expect(decodeText(new TextEncoder().encode('Pós'))).toBe('Pós')
})
