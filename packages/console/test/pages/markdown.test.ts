import { assert, describe, it } from "vitest"
import { type Block, blocksOf, type Inline, inlinesOf } from "../../src/pages/dashboards/markdown.ts"

const text = (text: string): Inline => ({ kind: "text", text })
const link = (href: string, label: string): Inline => ({ kind: "link", href, children: [text(label)] })

describe("inlinesOf", () => {
  it.each<readonly [string, ReadonlyArray<Inline>]>([
    ["plain", [text("plain")]],
    ["a **b** c", [text("a "), { kind: "strong", children: [text("b")] }, text(" c")]],
    ["*b* _c_", [{ kind: "em", children: [text("b")] }, text(" "), { kind: "em", children: [text("c")] }]],
    ["snake_case_name", [text("snake_case_name")]],
    ["2 * 3 * 4", [text("2 * 3 * 4")]],
    ["`a*b*`", [{ kind: "code", text: "a*b*" }]],
    ["``a`b``", [{ kind: "code", text: "a`b" }]],
    ["\\*a\\*", [text("*a*")]],
    ["**a *b* c**", [{ kind: "strong", children: [text("a "), { kind: "em", children: [text("b")] }, text(" c")] }]],
    ["[x](https://a.test/b?c=1)", [link("https://a.test/b?c=1", "x")]],
    ["[x](HTTP://a.test)", [link("http://a.test/", "x")]],
    ["<https://a.test/b>", [link("https://a.test/b", "https://a.test/b")]],
    ["[](https://a.test/)", [link("https://a.test/", "https://a.test/")]],
    ["![cat](https://a.test/cat.png)", [link("https://a.test/cat.png", "cat")]],
    ["**open", [text("**open")]],
    ["`open", [text("`open")]]
  ])("%s", (given, wanted) => assert.deepStrictEqual(inlinesOf(given), wanted))

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert)",
    "[x](data:text/html,1)",
    "[x](//a.test)",
    "[x](/a)",
    "[x](java\nscript:a)",
    "[x](https://)",
    "[x](vbscript:a)",
    "<img src=x onerror=alert(1)>",
    "<javascript:a>",
    "[x](http:a)"
  ])("%j stays a text", (given) => assert.deepStrictEqual(inlinesOf(given), [text(given)]))

  it("takes what is nested too deep for a text", () => {
    let text = "a"
    for (let level = 0; level < 20; level += 1) text = level % 2 === 0 ? `*${text}*` : `**${text}**`
    let depth = 0
    let [piece] = inlinesOf(text)
    while (piece !== undefined && "children" in piece) {
      depth += 1
      piece = piece.children[0]
    }
    assert.isAtMost(depth, 9)
  })

  it("ends with what is nested without an end", () => {
    for (const given of [
      "*".repeat(20_000),
      "[".repeat(20_000),
      `${"**a ".repeat(5000)}`,
      "`".repeat(20_001),
      "_a".repeat(9000)
    ]) {
      const started = process.cpuUsage().user
      inlinesOf(given)
      assert.isBelow((process.cpuUsage().user - started) / 1000, 5000, given.slice(0, 5))
    }
  })
})

describe("blocksOf", () => {
  it.each<readonly [string, ReadonlyArray<Block>]>([
    ["", []],
    [
      "a\nb\n\nc",
      [
        { kind: "paragraph", children: [text("a\nb")] },
        { kind: "paragraph", children: [text("c")] }
      ]
    ],
    [
      "# A #\n###### B",
      [
        { kind: "heading", level: 1, children: [text("A")] },
        { kind: "heading", level: 6, children: [text("B")] }
      ]
    ],
    ["#no\n####### no", [{ kind: "paragraph", children: [text("#no\n####### no")] }]],
    ["- a\n  more\n- b", [{ kind: "list", isOrdered: false, items: [[text("a more")], [text("b")]] }]],
    ["1. a\n2) b", [{ kind: "list", isOrdered: true, items: [[text("a")], [text("b")]] }]],
    [
      "- a\n1. b",
      [
        { kind: "list", isOrdered: false, items: [[text("a")]] },
        { kind: "list", isOrdered: true, items: [[text("b")]] }
      ]
    ],
    [
      "a\n- b",
      [
        { kind: "paragraph", children: [text("a")] },
        { kind: "list", isOrdered: false, items: [[text("b")]] }
      ]
    ],
    [
      "```sql\n# a\n\nb\n```\nc",
      [
        { kind: "code", text: "# a\n\nb" },
        { kind: "paragraph", children: [text("c")] }
      ]
    ],
    ["~~~\nopen", [{ kind: "code", text: "open" }]],
    ["---\n* * *", [{ kind: "rule" }, { kind: "rule" }]],
    [
      "> a\n> # b",
      [
        {
          kind: "quote",
          blocks: [
            { kind: "paragraph", children: [text("a")] },
            { kind: "heading", level: 1, children: [text("b")] }
          ]
        }
      ]
    ],
    ["<script>alert(1)</script>", [{ kind: "paragraph", children: [text("<script>alert(1)</script>")] }]],
    ["a\r\nb", [{ kind: "paragraph", children: [text("a\nb")] }]]
  ])("%j", (given, wanted) => assert.deepStrictEqual(blocksOf(given), wanted))

  it.each([
    ["# a ##", "a"],
    ["# a # #", "a #"],
    ["# a#", "a"],
    ["## #", ""],
    ["# a\u2028b", "a\u2028b"]
  ])("leaves out the signs at the end of the heading %j", (given, heading) => {
    const level = given.indexOf(" ")
    assert.deepStrictEqual(blocksOf(given), [
      { kind: "heading", level, children: heading === "" ? [] : [text(heading)] }
    ])
  })

  it.each(["#", " #", "\t", "*a", "_a ", "![", "*_", "`a"])("reads a long text of %j to its end", (piece) => {
    const most = 50_000 / piece.length
    // With patterns that take quadratic time some of them take 20 s: `patterns.long.test.ts` judges the patterns.
    for (const start of ["# a", "*"])
      assert.include(JSON.stringify(blocksOf(`${start}${piece.repeat(most)} end`)), "end")
  })

  it("ends with quotes in quotes", () => {
    assert.strictEqual(blocksOf(`${">".repeat(5000)} a`).length, 1)
    let [block] = blocksOf(`${">".repeat(20)} a`)
    let depth = 0
    while (block?.kind === "quote") {
      depth += 1
      block = block.blocks[0]
    }
    assert.deepStrictEqual([depth, block?.kind], [8, "paragraph"])
  })
})
