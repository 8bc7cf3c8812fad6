/**
 * Predictions and exercises answered in the page itself, with what bookproof/verdicts.py found in the notebook's checks,
 * in the words of `numbers`, `letters` and `verdict` there. Nothing is sent anywhere.
 */
(() => {
  // ---- a field holds a Python literal, else a text ----

  const DIGITS = String.raw`\d+(?:_\d+)*`;
  const POWER = String.raw`[eE][+-]?\d+`;
  const FORMS = [
    String.raw`(?<int>(?:0+|[1-9]\d*(?:_\d+)*)(?![\w.]))`,
    String.raw`(?<float>(?=[\d_]*[.eE])(?:(?:${DIGITS})?\.${DIGITS}|${DIGITS}\.?)(?:${POWER})?(?![\w.]))`,
    String.raw`(?<name>(?:True|False|None)(?!\w)|\.\.\.)`,
    String.raw`(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")`,
    String.raw`(?<sign>[-+,()[\]])`,
  ];
  const TOKEN = new RegExp(String.raw`\s*(?:${FORMS.join("|")})`, "gy");
  const NAMES = { True: true, False: false, None: null, "...": null };

  /**
   * A Python literal: a whole number is a BigInt, None null, a list or tuple an Array (a tuple has `tuple`). Throws a
   * SyntaxError if the text is none.
   */
  function literal(text) {
    const tokens = [...text.matchAll(TOKEN)];
    if (tokens.reduce((length, token) => length + token[0].length, 0) < text.length) throw new SyntaxError();
    const groups = tokens.map((token) => token.groups);
    let next = 0;
    const take = (sign) => groups[next]?.sign === sign && ++next;

    /** Items up to a closing bracket, or to the end. */
    function items(end) {
      const found = [];
      const ends = () => (end ? take(end) : next === groups.length);
      while (!ends()) {
        found.push(item());
        if (take(",")) found.comma = true;
        else if (ends()) break;
        else throw new SyntaxError();
      }
      return found;
    }
    const tuple = (found) => (found.length === 1 && !found.comma ? found[0] : Object.assign(found, { tuple: true }));

    function item() {
      if (take("[")) return items("]");
      if (take("(")) return tuple(items(")"));
      const sign = take("-") ? "-" : take("+") ? "+" : "";
      const { float, int, name, string } = groups[next++] ?? {};
      if (sign && !float && !int) throw new SyntaxError();
      if (float) return Number(sign + float.replaceAll("_", ""));
      if (int) return BigInt(int.replaceAll("_", "")) * (sign === "-" ? -1n : 1n);
      if (name) return NAMES[name];
      if (string) return string.slice(1, -1).replace(/\\(.)/g, (_, c) => ({ n: "\n", t: "\t" })[c] ?? c);
      throw new SyntaxError();
    }
    return tuple(items());
  }

  /** One number as Python writes it: 10,000 and 10 000 without their gaps, a decimal comma as a point. */
  function plain(text) {
    const joined = text.replace(/([0-9])\s(?=[0-9]{3}(?![0-9]))/g, "$1");
    if (/^[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?$/.test(joined)) return joined.replaceAll(",", "");
    return joined.replace(/^([-+]?[0-9]*),([0-9]+)$/, "$1.$2");
  }

  /** What a field holds: null for no answer yet. */
  function read(text, { wanted }) {
    const typed = text.trim().replaceAll("−", "-").replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
    if (!typed) return null;
    try {
      return literal(wanted && !wanted.startsWith("[") ? plain(typed) : typed);
    } catch {
      return typed;
    }
  }

  function typeName(value) {
    if (value === null) return "NoneType";
    if (Array.isArray(value)) return value.tuple ? "tuple" : "list";
    return { bigint: "int", number: "float", boolean: "bool", string: "str" }[typeof value];
  }

  // ---- an answer that is a number or several: as `numbers` in the notebook ----

  /** { shape, leaves } as np.asarray sees it; undefined if rows differ in length. */
  function asArray(value) {
    if (!Array.isArray(value)) return { shape: [], leaves: [value] };
    const parts = value.map(asArray);
    const shape = String(parts[0]?.shape ?? []);
    if (parts.some((part) => !part || String(part.shape) !== shape)) return undefined;
    return { shape: [value.length, ...(parts[0]?.shape ?? [])], leaves: parts.flatMap((part) => part.leaves) };
  }

  /** Whether np.asarray makes whole or floating-point numbers of these. */
  function areNumbers(leaves) {
    const known = (v) => typeof v === "boolean" || typeof v === "number" ||
      (typeof v === "bigint" && v >= -(2n ** 63n) && v < 2n ** 64n);
    return leaves.every(known) && !(leaves.length && leaves.every((v) => typeof v === "boolean"));
  }

  /** Leaves as numbers of one kind: BigInt if all are whole. */
  const alike = (leaves) => (leaves.some((v) => typeof v === "number") ? leaves.map(Number) : leaves.map(BigInt));
  const far = (a, b) => {
    if (typeof a === "number" || typeof b === "number") return Math.abs(Number(a) - Number(b));
    const difference = BigInt.asIntN(64, a - b); // NumPy's whole numbers wrap
    return Number(BigInt.asIntN(64, difference < 0n ? -difference : difference));
  };
  const shapeText = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

  function judgeNumbers(answer, { wanted, within, mistakes }) {
    if (typeof answer === "string") {
      return "that is a text, not a number: write what comes out, in digits, without quotation marks";
    }
    const [got, want] = [asArray(answer), asArray(literal(wanted))];
    if (!got) return "that is not an array of numbers";
    if (!areNumbers(got.leaves)) return `that is of type ${typeName(answer)}, not a number`;
    const single = got.leaves.length === 1 && want.leaves.length === 1;
    if (!single && want.shape.length === 0) return "give one number, with a decimal point as in 0.5";
    if (!single && String(got.shape) !== String(want.shape)) {
      return `its shape is ${shapeText(got.shape)}, not ${shapeText(want.shape)}`;
    }
    const given = alike(got.leaves);
    if (given.some((v) => typeof v === "number" && !Number.isFinite(v))) return "it is not finite";
    const near = (leaves) => alike(leaves).every((v, i) => far(given[i], v) <= within);
    if (near(want.leaves)) return "right";
    const mistake = mistakes.find(([value]) => near(asArray(literal(value)).leaves));
    if (mistake) return mistake[1];
    return near(alike(want.leaves).map((v) => -v)) ? "only the sign is wrong" : "it differs";
  }

  // ---- an answer in letters: as `letters` in the notebook, then as the table says ----

  function judgeLetters(answer, { kind, known, verdicts }) {
    if (typeof answer !== "string") return `give letters as one text, such as '${known.slice(0, 2)}'`;
    const which = `the letters ${known[0]} to ${known.at(-1)}`;
    const folded = known === known.toLowerCase() ? answer.toLowerCase() : answer.toUpperCase();
    const given = folded.match(/[\p{L}\p{N}]/gu) ?? [];
    if (!given.length) return "there is no letter in it";
    const strange = given.find((c) => !known.includes(c));
    if (strange) return `${strange} is none of ${which}`;
    const key = kind === "order" ? given.join("") : [...new Set(given)].sort().join("");
    const found = Object.keys(verdicts).find((words) => verdicts[words].split(" ").includes(key));
    return found ?? `give each of ${which} once`;
  }

  /** The line that the notebook's check prints of what a field holds. */
  function verdict(number, text, entry) {
    const value = read(text, entry);
    const judge = entry.kind === "numbers" ? judgeNumbers : judgeLetters;
    const says = value === null ? "no answer yet" : judge(value, entry);
    return `Exercise ${number}: ${["right", "no answer yet"].includes(says) ? says : `not yet: ${says}`}.`;
  }

  // ---- predictions ----

  /** In words, whether a predicted number is the one in the answer; undefined if it is no number. */
  function judgePrediction(text, answer) {
    const value = (written) => Number(plain(written.trim().replace(/\.$/, "").replace("−", "-")) || NaN);
    const [guess, right] = [value(text), value(answer)];
    if (Number.isNaN(guess)) return undefined;
    if (guess === right) return "Right.";
    return guess < right ? "Not so: it is more." : "Not so: it is less.";
  }

  // ---- the page ----

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const page = location.pathname.split("/").at(-1).replace(".html", "");
  const boxes = new Map(); // what can be marked, by the key that is kept

  const load = () => attempt(() => new Set(JSON.parse(localStorage.getItem("answered")))) ?? new Set();
  const save = () => attempt(() => localStorage.setItem("answered", JSON.stringify([...answered])));
  let answered = load();

  /** What `action` returns, or null where the browser keeps nothing: then marks last as long as the page. */
  function attempt(action) {
    try {
      return action();
    } catch {
      return null;
    }
  }

  function showMarks() {
    for (const [key, box] of boxes) {
      const title = box.querySelector(".admonition-title");
      title.querySelector(".answered")?.remove();
      if (answered.has(key)) title.append(make("span", { class: "answered" }, "answered right"));
    }
    progress.hidden = !answered.size;
  }

  /** What is to be called with each judgement on a box: marks it if the first is that it is right. */
  function firstTry(key) {
    let tried = false;
    return (right) => {
      if (right && !tried) mark(key);
      tried = true;
    };
  }

  function mark(key) {
    answered = new Set([...load(), ...answered, key]); // another tab may have added some
    save();
    showMarks();
  }

  const clear = make("button", { type: "button" }, "Clear the marks of all pages");
  const progress = make("p", { class: "progress", hidden: "" },
    "What you answered right is marked, and kept in this browser alone. ", clear);
  clear.onclick = () => {
    answered = new Set();
    save();
    showMarks();
  };

  /** A form with one field; `judge` gets what was typed and returns the words to show. */
  function form(id, label, hint, judge) {
    const field = make("input", {
      type: "text", name: "answer", id, "aria-describedby": `${id}-hint`,
      autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    });
    const output = make("output", { for: id, "aria-live": "polite" });
    const made = make("form", { class: "answer" },
      make("label", { for: id }, label), field, make("button", {}, "Check"),
      make("p", { id: `${id}-hint`, class: "hint" }, hint), output);
    made.onsubmit = (event) => {
      event.preventDefault();
      say(output, judge(field.value));
    };
    return made;
  }

  /** Show words as new ones, so that they are announced even if they are the same. */
  function say(output, words) {
    output.className = /right\.|^Right/.test(words) ? "right" : "wrong";
    output.replaceChildren(make("span", {}, words));
  }

  /** Open the answer after a Predict box, and what the cell below it printed. */
  function reveal(box) {
    for (let next = box.nextElementSibling; next; next = next.nextElementSibling) {
      if (next.localName === "details") next.open = true;
      if (!next.classList.contains("cell")) continue;
      for (const fold of next.querySelectorAll("details.below-input")) fold.open = true;
      return;
    }
  }

  /** The bold words that the answer after a Predict box begins with, or undefined. */
  function answerOf(box) {
    const first = box.nextElementSibling?.querySelector("p");
    const bold = first?.querySelector("strong")?.textContent;
    return bold && first.textContent.trim().startsWith(bold) ? bold : undefined;
  }

  /** Words to be compared: without their full stop, in small letters, as bookproof/lint/boxes.py has them. */
  const bare = (words) => words.trim().replace(/\s+/g, " ").replace(/\.$/, "").toLowerCase();

  function offerChoices(box, choices, answer, key) {
    const output = make("output", { "aria-live": "polite" });
    const judged = firstTry(key);
    const buttons = [...choices.children].map((item, i) => {
      const right = bare(item.textContent) === bare(answer);
      item.classList.toggle("right", right);
      const button = make("button", { type: "button", "data-choice": i, "aria-pressed": "false" });
      const inside = item.querySelector("p") ?? item;
      button.append(...inside.childNodes);
      item.replaceChildren(button);
      if (button.querySelector(".katex")) { // a drawn formula is no name
        const spoken = button.cloneNode(true);
        for (const drawing of spoken.querySelectorAll(".katex-html")) drawing.remove();
        button.ariaLabel = spoken.textContent.trim();
      }
      button.onclick = () => {
        for (const one of buttons) one.setAttribute("aria-pressed", one === button);
        box.classList.add("open");
        say(output, right ? "Right. The answer is open below." : "Not so. The answer is open below.");
        reveal(box);
        judged(right);
      };
      return button;
    });
    choices.after(output);
  }

  function askNumber(box, answer, key) {
    box.classList.add("number");
    const judged = firstTry(key);
    box.append(form(key.replace(" ", "-"), "Your prediction", "a number", (text) => {
      const words = judgePrediction(text, answer);
      if (!words) return "That is no number yet.";
      reveal(box);
      judged(words === "Right.");
      return `${words} The answer is open below.`;
    }));
  }

  /** What to type, in the shape that is asked for. */
  function hintOf({ kind, known, wanted }) {
    if (kind === "letters") return `letters, such as ${known.slice(0, 2)}`;
    if (kind === "order") return "all letters, in order";
    let count = 0;
    const like = (value) => (Array.isArray(value) ? `[${value.map(like).join(", ")}]` : ++count);
    const shape = String(like(literal(wanted)));
    const rows = shape.startsWith("[[") ? shape.slice(1, -1) : shape;
    const form = count === 1 ? "a number" : `${count} numbers, such as ${rows}`;
    return `${form}: the field does not compute, so 60 and not 3*20`;
  }

  function askExercise(box, entry, number) {
    const key = `${page} ${number}`;
    boxes.set(key, box);
    const asked = form(`answer-${number}`, "Your answer", hintOf(entry), (text) => {
      const words = verdict(number, text, entry);
      if (words.endsWith(": right.")) mark(key);
      return words;
    });
    const cells = [...box.querySelectorAll(":scope > .cell")];
    cells[0].before(asked);
    const notebook = make("details", { class: "in-notebook" }, make("summary", {}, "The same in a notebook"));
    asked.after(notebook);
    notebook.append(...cells);
  }

  function sendToNotebook(box) {
    const links = [...document.querySelectorAll(".launch a")].flatMap((link) => [" ", link.cloneNode(true)]);
    const text = "The answer is code: write and check it in a notebook.";
    const without = ". No notebook at hand? Decide which lines you would write or change, then open the solution.";
    box.querySelector(":scope > .cell").before(make("p", { class: "elsewhere" }, text, ...links, without));
  }

  document.querySelectorAll(".predict").forEach((box, i) => {
    const key = `${page} predict-${i + 1}`;
    const choices = box.querySelector(":scope > ul:last-of-type");
    const answer = answerOf(box);
    if (answer && choices) offerChoices(box, choices, answer, key);
    else if (answer && judgePrediction(answer, answer)) askNumber(box, answer, key);
    boxes.set(key, box);
  });
  const verdicts = JSON.parse(document.getElementById("verdicts")?.textContent ?? "{}");
  for (const box of document.querySelectorAll(".exercise")) {
    const number = /\d+/.exec(box.querySelector(".admonition-title").textContent)[0];
    const entry = verdicts[number];
    if (entry?.kind === "code") sendToNotebook(box);
    else if (entry) askExercise(box, entry, number);
  }
  [...document.querySelectorAll(".exercise")].at(-1)?.after(progress);
  showMarks();
})();
