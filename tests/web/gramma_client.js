// Checks a text with the npm package gramma: node gramma_client.js MODULES ADDRESS, the text on standard input.
const [modules, address] = process.argv.slice(2)
const gramma = require(require.resolve("gramma", { paths: [modules] }))

let text = ""
process.stdin.setEncoding("utf8")
process.stdin.on("data", (chunk) => (text += chunk))
process.stdin.on("end", async () => {
  const options = { api_url: `${address}v2/check`, language: "en-US" }
  const found = await gramma.check(text, options)
  const transformations = found.matches.map((match) => ({
    change: match.replacements[0].value, offset: match.offset, length: match.length,
  }))
  const marked = await gramma.check("This is **bold** text, and this is code: `go freind`.\n", { ...options, markdown: true })
  process.stdout.write(JSON.stringify({
    words: found.matches.map((match) => match.word),
    corrected: gramma.replaceAll(text, transformations),
    marked: marked.matches.length,
  }))
})
