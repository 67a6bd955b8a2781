"use strict";
(() => {
  const { root, nodes, edges, phrases, omitted } = JSON.parse(document.getElementById("data").textContent);
  const picture = document.getElementById("picture");
  const details = document.getElementById("details");
  const status = document.getElementById("status");
  const search = document.getElementById("search");
  const summary = status.textContent;
  const links = [...document.querySelectorAll(".tree .link")];
  const lines = [...picture.querySelectorAll(".line")];
  const drawn = [...picture.querySelectorAll(".card")];
  const cards = new Map(drawn.filter((card) => card.dataset.node).map((card) => [Number(card.dataset.node), card]));
  const neighbours = nodes.map(() => new Set());
  edges.forEach(([source, target]) => {
    neighbours[source].add(target);
    neighbours[target].add(source);
  });
  let chosen = null;
  let found = [];

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // The view: the part of the picture that is seen, in the picture's own units.
  const whole = picture.viewBox.baseVal;
  const full = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  let view = { ...full };
  const look = (next) => {
    view = next;
    picture.setAttribute("viewBox", [view.x, view.y, view.width, view.height].join(" "));
  };
  const scale = () => Math.min(picture.clientWidth / view.width, picture.clientHeight / view.height) || 1;
  const zoom = (factor, x = view.x + view.width / 2, y = view.y + view.height / 2) => {
    const width = Math.min(Math.max(view.width / factor, 240), full.width * 3);
    const ratio = width / view.width;
    look({ x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio, width, height: view.height * ratio });
  };
  const pointOf = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  const boxOf = (card) => {
    const place = card.transform.baseVal.consolidate().matrix;
    const { width, height } = card.querySelector(".paper").getBBox();
    return { x: place.e, y: place.f, width, height };
  };
  const fit = () => {
    const margin = 76 / Math.min(picture.clientWidth / full.width, picture.clientHeight / full.height || 1);
    look({ x: full.x, y: full.y, width: full.width, height: full.height + (Number.isFinite(margin) ? margin : 0) });
  };
  // A picture too large to be read whole opens at its root.
  const open = () => {
    fit();
    if (!picture.clientWidth || scale() >= 0.5) return;
    const box = boxOf(cards.get(root));
    const width = picture.clientWidth / 0.62;
    const height = picture.clientHeight / 0.62;
    const x = Math.min(Math.max(box.x - width * 0.3, 0), Math.max(0, full.width - width));
    look({ x, y: box.y + box.height / 2 - height / 2, width, height });
  };
  const reveal = (card) => {
    const box = boxOf(card);
    const seen =
      box.x >= view.x && box.y >= view.y && box.x + box.width <= view.x + view.width && box.y + box.height <= view.y + view.height;
    if (!seen) look({ ...view, x: box.x + box.width / 2 - view.width / 2, y: box.y + box.height / 2 - view.height / 2 });
  };

  // What is chosen or found stands out; the rest is quiet.
  const show = () => {
    const searched = search.value.trim() !== "";
    const matches = new Set(found);
    const near = chosen === null ? null : new Set([chosen, ...neighbours[chosen]]);
    const isQuiet = (node) => (searched ? !matches.has(node) : near !== null && !near.has(node));
    drawn.forEach((card) => {
      const node = Number(card.dataset.node ?? card.dataset.beside);
      const isOmission = card.dataset.node === undefined;
      card.classList.toggle("quiet", isOmission ? searched || (chosen !== null && node !== chosen) : isQuiet(node));
      card.classList.toggle("chosen", !isOmission && node === chosen);
    });
    edges.forEach(([source, target], position) => {
      const isFar = searched ? !(matches.has(source) && matches.has(target)) : chosen !== null && source !== chosen && target !== chosen;
      lines[position].classList.toggle("quiet", isFar);
      lines[position].classList.toggle("near", !isFar && (searched || chosen !== null));
    });
    links.forEach((link) => {
      const node = Number(link.dataset.key);
      link.classList.toggle("chosen", node === chosen);
      link.classList.toggle("quiet", searched && !matches.has(node));
      if (node === chosen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };

  const mark = (node) => {
    const space = "http://www.w3.org/2000/svg";
    const made = document.createElementNS(space, "svg");
    made.setAttribute("class", `mark ${node.label}`);
    made.setAttribute("viewBox", "-11 -11 22 22");
    made.setAttribute("width", "18");
    made.setAttribute("height", "18");
    made.setAttribute("aria-hidden", "true");
    const shape = document.createElementNS(space, "path");
    shape.setAttribute("class", "shape");
    shape.setAttribute("d", node.shape);
    made.append(shape);
    return made;
  };
  const linkTo = (place, extra) => {
    const link = element("button", "link");
    link.type = "button";
    link.append(element("span", "kind", nodes[place].kind), ` ${nodes[place].title}`);
    if (extra) link.append(element("span", "extra", ` (${extra})`));
    link.addEventListener("click", () => choose(place, true));
    return link;
  };
  const describe = (place) => {
    const node = nodes[place];
    const eyebrow = element("p", "eyebrow");
    eyebrow.append(mark(node), node.kind);
    const heading = element("h2", "", node.title);
    heading.dir = "auto";
    const list = element("dl");
    [["key", node.key], ...node.details].forEach(([name, value]) => {
      list.append(element("dt", "", name), element("dd", "", value));
    });
    const groups = new Map();
    edges.forEach(([source, target, type, said]) => {
      if (source !== place && target !== place) return;
      const words = phrases[type][source === place ? 0 : 1];
      if (!groups.has(words)) groups.set(words, element("ul"));
      const item = element("li");
      item.append(linkTo(source === place ? target : source, said));
      groups.get(words).append(item);
    });
    const connections = [...groups].flatMap(([words, items]) => {
      const title = element("h3", "", words);
      title.append(" ", element("span", "count", items.childElementCount));
      return [title, items];
    });
    const missing = omitted.filter(([parent]) => parent === place).map(([, words]) => element("p", "omission", words));
    // Unasked, the root is described without its neighbours: the outline below starts with them.
    details.replaceChildren(eyebrow, heading, list, ...(chosen === null ? [] : [...connections, ...missing]));
  };

  const choose = (place, isMoved) => {
    chosen = place;
    if (place === null) describe(root);
    else {
      describe(place);
      rove(cards.get(place));
      if (isMoved) reveal(cards.get(place));
      details.parentElement.scrollTop = 0;
    }
    show();
  };

  // One card at a time takes part in the order of the Tab key; arrows move to the nearest in their direction.
  let roving = cards.get(root);
  const rove = (card) => {
    roving.setAttribute("tabindex", "-1");
    roving = card;
    roving.setAttribute("tabindex", "0");
  };
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const nearest = (from, [right, down]) => {
    const start = boxOf(from);
    let best = null;
    cards.forEach((card) => {
      const box = boxOf(card);
      const along = (box.x - start.x) * right + (box.y - start.y) * down;
      const across = Math.abs((box.x - start.x) * down) + Math.abs((box.y - start.y) * right);
      if (along > 1 && (best === null || along + across * 3 < best.distance)) best = { card, distance: along + across * 3 };
    });
    return best?.card;
  };
  cards.forEach((card, place) => {
    card.setAttribute("role", "button");
    card.setAttribute("tabindex", card === roving ? "0" : "-1");
    card.addEventListener("click", () => choose(place, false));
    card.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") choose(place, true);
      else if (event.key in directions) {
        const next = nearest(card, directions[event.key]);
        if (!next) return;
        rove(next);
        reveal(next);
        next.focus();
      } else return;
      event.preventDefault();
    });
  });
  links.forEach((link) => link.addEventListener("click", () => choose(Number(link.dataset.key), true)));

  const haystacks = nodes.map((node) =>
    [node.key, node.kind, node.title, ...node.details.flat()].join("\n").toLocaleLowerCase());
  search.addEventListener("input", () => {
    const words = search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    found = words.length ? [...nodes.keys()].filter((place) => words.every((word) => haystacks[place].includes(word))) : [];
    status.textContent = words.length ? `${found.length} of ${nodes.length} found` : summary;
    show();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !found.length) return;
    event.preventDefault();
    choose(found[(found.indexOf(chosen) + 1) % found.length], true);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    search.value = "";
    found = [];
    status.textContent = summary;
    choose(null, false);
  });

  document.getElementById("nearer").addEventListener("click", () => zoom(1.3));
  document.getElementById("farther").addEventListener("click", () => zoom(1 / 1.3));
  document.getElementById("whole").addEventListener("click", fit);
  picture.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...pointOf(event));
  }, { passive: false });
  let held = null;
  picture.addEventListener("pointerdown", (event) => {
    if (event.button === 0) held = { x: event.clientX, y: event.clientY, view, isDragged: false };
  });
  picture.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [right, down] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.isDragged && Math.hypot(right, down) < 4) return;
    held.isDragged = true;
    picture.setPointerCapture(event.pointerId);
    picture.classList.add("held");
    look({ ...view, x: held.view.x - right / scale(), y: held.view.y - down / scale() });
  });
  const release = () => {
    held = null;
    picture.classList.remove("held");
  };
  picture.addEventListener("pointerup", release);
  picture.addEventListener("pointercancel", release);

  open();
  describe(root);
  show();
})();
